import { useId, useRef, useState, type ReactNode } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { visibleFileName } from '../../domain/file-name.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { sizeOf } from './upload-failure.ts';
import { useFileDrop } from './use-file-drop.ts';

interface FilePickerProps {
  readonly files: readonly File[];
  /** Names of files that were chosen, and must be chosen again. */
  readonly lostFiles: readonly string[];
  readonly onChange: (files: readonly File[]) => void;
  readonly shown: number;
  readonly onShow: (index: number) => void;
  /** Why the files cannot be sent. */
  readonly issue: ReactNode;
  readonly isDisabled: boolean;
}

export function FilePicker(props: FilePickerProps) {
  const { files, lostFiles, onChange, shown, onShow, issue, isDisabled } = props;
  const t = useText();
  const format = useFormat();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  const [hasFolders, setHasFolders] = useState(false);
  const add = (added: readonly File[], hasFolders = false): void => {
    setHasFolders(hasFolders);
    if (added.length === 0) return;
    onChange([...files, ...added]);
    announce(t('Added: {names}', { names: added.map(({ name }) => name).join(', ') }));
  };
  const isDragging = useFileDrop((dropped, hasFolders) => {
    if (!isDisabled) add(dropped, hasFolders);
  });
  const remove = (index: number): void => {
    onChange(files.filter((_, other) => other !== index));
    announce(t('Removed: {name}', { name: files[index]?.name ?? '' }));
    button.current?.focus(); // the button that was pressed no longer exists
  };
  return (
    <fieldset className="stack-small">
      <legend className="label">{t('Files')}</legend>
      <div className={`drop-zone row ${isDragging && !isDisabled ? 'drop-zone-active' : ''}`}>
        <button
          ref={button}
          type="button"
          className="button"
          aria-describedby={issue === undefined ? undefined : `${id}-issue`}
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
            add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = ''; // the same file can be selected again after it was removed
          }}
        />
      </div>
      {hasFolders && (
        <p className="field-error" role="alert">
          {t('Folders cannot be added. Add the files that they contain.')}
        </p>
      )}
      {lostFiles.length > 0 && (
        <p className="notice notice-warning small">
          {t('These files were not kept. Select them again: {names}', {
            names: lostFiles.map(visibleFileName).join(', '),
          })}
        </p>
      )}
      {files.length > 0 && (
        <ul className="chosen-files">
          {files.map((file, index) => (
            <li key={`${index} ${file.name}`} className="row">
              <button
                type="button"
                className="file-name"
                aria-pressed={index === shown}
                onClick={() => onShow(index)}
              >
                <span className="clip">
                  <span className="visually-hidden">{t('View')} </span>
                  {visibleFileName(file.name)}
                </span>
                <span className="muted small">{format.size(file.size)}</span>
              </button>
              <button
                type="button"
                className="button"
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
        <p className="muted small">{t('Together: {size}', { size: format.size(sizeOf(files)) })}</p>
      )}
      {issue !== undefined && (
        <p id={`${id}-issue`} className="field-error">
          {issue}
        </p>
      )}
    </fieldset>
  );
}
