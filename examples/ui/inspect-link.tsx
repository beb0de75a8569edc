import { linkOf, type Operation } from './playground-link.ts';
import type { Texts } from './rest-calls-texts.ts';
import './inspect-link.css';

interface InspectLinkProps {
  readonly operation: Operation;
  readonly name: string;
  readonly personId: string | null;
  readonly texts: Texts;
}

export function InspectLink({ operation, name, personId, texts: { t } }: InspectLinkProps) {
  return (
    <a
      className="inspect-link"
      href={`/graphql${linkOf(operation, personId)}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t('Inspect {name} in the playground', { name })}
      title={t('Open in the playground')}
    >
      {t('Inspect')}
    </a>
  );
}
