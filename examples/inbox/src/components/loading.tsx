import { useText } from '../language/text.ts';

interface LoadingProps {
  readonly label: string;
  readonly lines?: number;
}

export function Loading({ label, lines = 4 }: LoadingProps) {
  const t = useText();
  return (
    <div className="stack-small" role="status">
      <span className="visually-hidden">{t('Loading {what}…', { what: label })}</span>
      <Skeleton lines={lines} />
    </div>
  );
}

export function Skeleton({ lines }: { readonly lines: number }) {
  return Array.from({ length: lines }, (_, index) => <div key={index} className="skeleton" />);
}
