import { Icon } from '../../components/icon.tsx';
import { useText } from '../../language/text.ts';

/** Numbers to show, and what the buttons do. */
export interface SelectionButtonsProps {
  /** Number of selected documents, formatted. */
  readonly count: string;
  /** Number of rows, formatted. */
  readonly totalCount: string;
  /** Undefined: all rows are selected. */
  readonly onSelectAll: (() => void) | undefined;
  readonly onClear: () => void;
}

/** The number of selected documents, with buttons that select all rows or none. */
export function SelectionButtons(props: SelectionButtonsProps) {
  const { count, totalCount, onSelectAll, onClear } = props;
  const t = useText();
  return (
    <div className="row">
      <strong>{t('{count} selected', { count })}</strong>
      {onSelectAll && (
        <button
          type="button"
          className="button button-quiet"
          onClick={({ currentTarget }) => {
            // The button disappears.
            currentTarget.parentElement?.querySelector<HTMLElement>('button:last-child')?.focus();
            onSelectAll();
          }}
        >
          {t('Select all {count}', { count: totalCount })}
        </button>
      )}
      <button
        type="button"
        className="button button-quiet button-icon"
        aria-label={t('Clear selection')}
        title={t('Clear selection')}
        onClick={onClear}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
