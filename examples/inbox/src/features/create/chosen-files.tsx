import { visibleFileName } from '../../domain/file-name.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';

interface ChosenFilesProps {
  readonly files: readonly File[];
  readonly onRemove: (index: number) => void;
  readonly isDisabled: boolean;
}

/** The names and sizes of files, each with a button that removes it. */
export function ChosenFiles({ files, onRemove, isDisabled }: ChosenFilesProps) {
  const t = useText();
  const format = useFormat();
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
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
                onClick={() => onRemove(index)}
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
    </>
  );
}
