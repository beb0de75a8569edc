import { focusPageHeading } from '../../app/page.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { useText } from '../../language/text.ts';
import { FailedDocuments, type FailedDocument } from './failed-documents.tsx';

export interface Summary {
  readonly text: string;
  readonly failed: readonly FailedDocument[];
}

interface BulkSummaryProps {
  readonly summary: Summary;
  readonly shownIds: readonly string[];
  readonly onClose: () => void;
}

export function BulkSummary({ summary, shownIds, onClose }: BulkSummaryProps) {
  const t = useText();
  const { text, failed } = summary;
  return (
    <div className="notice stack-small notice-warning">
      <div className="row bulk-summary">
        <p>{text}</p>
        <button
          type="button"
          className="button button-quiet button-icon"
          aria-label={t('Close')}
          onClick={() => {
            focusPageHeading();
            onClose();
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      <FailedDocuments documents={failed.filter(({ id }) => !shownIds.includes(id))} />
    </div>
  );
}
