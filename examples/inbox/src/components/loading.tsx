import { useText } from '../language/text.ts';

interface LoadingProps {
  /** What is loaded, for screen readers. */
  readonly label: string;
  /** Number of lines of the placeholder. */
  readonly lines?: number;
}

/** A placeholder for content that is loaded. */
export function Loading({ label, lines = 4 }: LoadingProps) {
  const t = useText();
  return (
    <div className="stack-small" role="status">
      <span className="visually-hidden">{t('Loading {what}…', { what: label })}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="skeleton" />
      ))}
    </div>
  );
}
