import { TemporaryButton } from '../../components/temporary-button.tsx';
import { useText } from '../../language/text.ts';
import { updateTexts, type DocumentUpdate } from '../live/use-document-updates.ts';

interface OutdatedNoticeProps {
  readonly update: DocumentUpdate;
  readonly onReload: () => Promise<void>;
  readonly onFocusLost: () => void;
}

export const outdatedId = 'outdated-notice';

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
