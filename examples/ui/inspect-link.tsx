import { texts, type Language } from './rest-calls-texts.ts';
import './inspect-link.css';

interface InspectLinkProps {
  /** A query document that runs without variables. */
  readonly query: string;
  /** What it reads, for screen readers. */
  readonly name: string;
  readonly language: Language;
}

/** A link that opens a query in the playground, in another tab. */
export function InspectLink({ query, name, language }: InspectLinkProps) {
  const t = texts[language];
  return (
    <a
      className="inspect-link"
      href={`/graphql?query=${encodeURIComponent(query)}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t.inspectInPlayground.replace('{name}', name)}
      title={t.openInPlayground}
    >
      {t.inspect}
    </a>
  );
}
