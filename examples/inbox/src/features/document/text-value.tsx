import { Link } from 'react-router';
import { useFormat, type Format } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import type { ValueObject } from './use-value-objects.ts';

interface TextValueProps {
  readonly label: string;
  /** Type of the field, such as `date`. Null if it is unknown. */
  readonly type: string | null;
  readonly text: string;
  /** The object that has the text as its ID. */
  readonly object: ValueObject | undefined;
  /** Whether the object is still loaded. */
  readonly isLoading?: boolean;
}

/** A label and a value as an entry of a definition list. */
export function TextValue({ label, type, text, object, isLoading }: TextValueProps) {
  const t = useText();
  const format = useFormat();
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {object?.documentId ? (
          <Link to={`/app/documents/${encodeURIComponent(object.documentId)}`}>{object.name}</Link>
        ) : object ? (
          <>
            {object.name} {object.detail && <span className="muted small">{object.detail}</span>}
          </>
        ) : isLoading ? (
          <div className="skeleton">
            <span className="visually-hidden">{t('Loading {what}…', { what: label })}</span>
          </div>
        ) : (
          formatValue(type, text, format)
        )}
      </dd>
    </>
  );
}

function formatValue(type: string | null, text: string, format: Format): string {
  if (text === '') return '–';
  if (type === 'number') return format.number(text);
  return type === 'date' || (type === null && /^\d{4}-\d{2}-\d{2}$/.test(text))
    ? format.date(text)
    : text;
}
