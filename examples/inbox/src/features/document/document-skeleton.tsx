import { useText } from '../../language/text.ts';

export function DocumentSkeleton() {
  const t = useText();
  return (
    <div className="document-page" role="status">
      <span className="visually-hidden">{t('Loading {what}…', { what: t('the document') })}</span>
      <div className="document-page-content">
        <SkeletonCard lines={16} />
      </div>
      <div className="document-page-files">
        <SkeletonCard lines={16} />
      </div>
      <div className="document-page-properties">
        <SkeletonCard lines={7} />
      </div>
    </div>
  );
}

function SkeletonCard({ lines }: { readonly lines: number }) {
  return (
    <div className="card stack">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="skeleton" />
      ))}
    </div>
  );
}
