import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { visibleFileName } from '../../domain/file-name.ts';

interface FilePickerProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
  /** Why the files cannot be sent. */
  readonly issue: ReactNode;
  readonly isDisabled: boolean;
}

/** The files of a new document: selected with a button, or dropped anywhere on the page. */
export function FilePicker({ files, onChange, issue, isDisabled }: FilePickerProps) {
  const t = useText();
  const format = useFormat();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  const [hasFolders, setHasFolders] = useState(false);
  const add = (added: readonly File[]): void => {
    if (added.length === 0) return;
    onChange([...files, ...added]);
    announce(t('Added: {names}', { names: added.map(({ name }) => name).join(', ') }));
  };
  const isDragging = useFileDrop((dropped, hasFolders) => {
    if (isDisabled) return;
    setHasFolders(hasFolders);
    add(dropped);
  });
  const remove = (index: number): void => {
    onChange(files.filter((_, other) => other !== index));
    announce(t('Removed: {name}', { name: files[index]?.name ?? '' }));
    button.current?.focus(); // the button that was pressed does not exist any more
  };
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <fieldset
      className="stack-small"
      aria-describedby={issue === undefined ? undefined : `${id}-issue`}
    >
      <legend className="label">{t('Files')}</legend>
      <div className={`drop-zone row ${isDragging && !isDisabled ? 'drop-zone-active' : ''}`}>
        <button
          ref={button}
          type="button"
          className="button"
          disabled={isDisabled}
          onClick={() => input.current?.click()}
        >
          {t('Select files…')}
        </button>
        <span className="muted">{t('or drop them on this page')}</span>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            setHasFolders(false);
            add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = ''; // the same file can be selected again after it was removed
          }}
        />
      </div>
      {hasFolders && (
        <p className="field-error" role="alert">
          {t('Folders cannot be added. Drop the files in them.')}
        </p>
      )}
      {files.length > 0 && (
        <ul className="chosen-files">
          {files.map((file, index) => (
            <li key={`${index} ${file.name}`} className="row">
              <span className="chosen-file-name">{visibleFileName(file.name)}</span>
              <span className="muted small">{format.size(file.size)}</span>
              <button
                type="button"
                className="button"
                disabled={isDisabled}
                aria-label={t('Remove {name}', { name: file.name })}
                onClick={() => remove(index)}
              >
                {t('Remove')}
              </button>
            </li>
          ))}
        </ul>
      )}
      {files.length > 1 && (
        <p className="muted small">{t('Together: {size}', { size: format.size(totalBytes) })}</p>
      )}
      {issue !== undefined && (
        <p id={`${id}-issue`} className="field-error">
          {issue}
        </p>
      )}
    </fieldset>
  );
}

/**
 * Accepts files that are dropped anywhere on the page. Without it, the browser leaves the page and opens the file.
 * Returns whether files are dragged over the page.
 */
function useFileDrop(onDrop: (files: readonly File[], hasFolders: boolean) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsDragging(false); // the pointer has left the window
    };
    const onDropEvent = (event: DragEvent): void => {
      setIsDragging(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const items = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
      const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
      const files = items.flatMap((item) => (isFolder(item) ? [] : (item.getAsFile() ?? [])));
      drop(files, files.length < items.length);
    };
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDropEvent, { signal });
    return () => abort.abort();
  }, []);
  return isDragging;
}
