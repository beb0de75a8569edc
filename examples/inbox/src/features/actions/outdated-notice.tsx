import { useText } from '../../language/text.ts';
import { updateTexts, type DocumentUpdate } from '../live/use-document-updates.ts';

interface OutdatedNoticeProps {
  readonly update: DocumentUpdate;
  /** Reads the document again. */
  readonly onReload: () => Promise<void>;
}

/** Says that the document has changed while a form is open, and offers the current version. */
export function OutdatedNotice({ update, onReload }: OutdatedNoticeProps) {
  const t = useText();
  return (
    <div className="notice notice-warning stack-small">
      <p>{t(updateTexts[update])}</p>
      <div>
        <button type="button" className="button" onClick={() => void onReload()}>
          {t('Show the current version')}
        </button>
      </div>
    </div>
  );
}
