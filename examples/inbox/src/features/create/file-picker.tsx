import { useId, useRef, useState, type ReactNode } from 'react';
import { useAnnounce } from '../../app/announcer.tsx';
import { visibleFileName } from '../../domain/file-name.ts';
import { useText } from '../../language/text.ts';
import { ChosenFiles } from './chosen-files.tsx';
import { FileSelection } from './file-selection.tsx';
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
  const id = useId();
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
      <FileSelection
        button={button}
        describedBy={issue === undefined ? undefined : `${id}-issue`}
        onSelect={add}
        isDropTarget={isDragging && !isDisabled}
        isDisabled={isDisabled}
      />
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
      <ChosenFiles
        files={files}
        shown={shown}
        onShow={onShow}
        onRemove={remove}
        isDisabled={isDisabled}
      />
      {issue !== undefined && (
        <p id={`${id}-issue`} className="field-error">
          {issue}
        </p>
      )}
    </fieldset>
  );
}
