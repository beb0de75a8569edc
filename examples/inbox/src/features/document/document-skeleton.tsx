import { Skeleton } from '../../components/loading.tsx';
import { useText } from '../../language/text.ts';

export function DocumentSkeleton() {
  const t = useText();
  return (
    <div className="document-page" role="status">
      <span className="visually-hidden">{t('Loading {what}…', { what: t('the document') })}</span>
      <div className="card stack document-page-content">
        <Skeleton lines={16} />
      </div>
      <div className="document-page-files">
        <div className="card stack">
          <Skeleton lines={16} />
        </div>
      </div>
      <div className="card stack document-page-properties">
        <Skeleton lines={7} />
      </div>
    </div>
  );
}
