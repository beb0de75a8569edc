import { linkOf, type Operation } from './playground-link.ts';
import { texts, type Language } from './rest-calls-texts.ts';
import './inspect-link.css';

interface InspectLinkProps {
  readonly operation: Operation;
  readonly name: string;
  readonly personId: string | null;
  readonly language: Language;
}

export function InspectLink({ operation, name, personId, language }: InspectLinkProps) {
  const t = texts[language];
  return (
    <a
      className="inspect-link"
      href={`/graphql${linkOf(operation, personId)}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t.inspectInPlayground.replace('{name}', name)}
      title={t.openInPlayground}
    >
      {t.inspect}
    </a>
  );
}
