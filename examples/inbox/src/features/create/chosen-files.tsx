import { visibleFileName } from '../../domain/file-name.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';

interface ChosenFilesProps {
  readonly files: readonly File[];
  readonly shown: number;
  readonly onShow: (index: number) => void;
  readonly onRemove: (index: number) => void;
  readonly isDisabled: boolean;
}

export function ChosenFiles(props: ChosenFilesProps) {
  const { files, shown, onShow, onRemove, isDisabled } = props;
  const t = useText();
  const format = useFormat();
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
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
