import { TemporaryButton } from '../../components/temporary-button.tsx';
import { useText } from '../../language/text.ts';
import { updateTexts, type DocumentUpdate } from '../live/use-document-updates.ts';

interface OutdatedNoticeProps {
  readonly update: DocumentUpdate;
  /** Reads the document again. */
  readonly onReload: () => Promise<void>;
  /** Called if the notice disappears while its button has the focus. */
  readonly onFocusLost: () => void;
}

/** ID of the notice. */
export const outdatedId = 'outdated-notice';

/** Says that the document has changed while a form is open, and offers the current version. */
export function OutdatedNotice({ update, onReload, onFocusLost }: OutdatedNoticeProps) {
  const t = useText();
  return (
    <div id={outdatedId} tabIndex={-1} className="notice notice-warning stack-small">
      <p>{t(updateTexts[update])}</p>
      <div>
        <TemporaryButton onClick={() => void onReload()} onFocusLost={onFocusLost}>
          {t('Show the current version')}
        </TemporaryButton>
      </div>
    </div>
  );
}
