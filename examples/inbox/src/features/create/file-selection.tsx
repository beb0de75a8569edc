import { useRef, type RefObject } from 'react';
import { useText } from '../../language/text.ts';

interface FileSelectionProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  /** ID of the element that says why the files cannot be sent. */
  readonly describedBy: string | undefined;
  readonly onSelect: (files: readonly File[]) => void;
  readonly isDropTarget: boolean;
  readonly isDisabled: boolean;
}

export function FileSelection(props: FileSelectionProps) {
  const { button, describedBy, onSelect, isDropTarget, isDisabled } = props;
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={`drop-zone row ${isDropTarget ? 'drop-zone-active' : ''}`}>
      <button
        ref={button}
        type="button"
        className="button"
        disabled={isDisabled}
        aria-describedby={describedBy}
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
          onSelect([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = ''; // the same file can be selected again after it was removed
        }}
      />
    </div>
  );
}
