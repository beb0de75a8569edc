import { Link } from 'react-router';
import { useFormat, type Format } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { DocumentLinks } from './document-links.tsx';
import { isObjectId, type ValueObject } from './use-value-objects.ts';

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
          <PlainValue type={type} text={text} />
        )}
      </dd>
    </>
  );
}

/** A value that is no object: a text, a number or a date. An ID without an object is not shown: it says nothing. */
function PlainValue({ type, text }: { readonly type: string | null; readonly text: string }) {
  const t = useText();
  const format = useFormat();
  const ids = text.split(/[\s,;]+/).filter(Boolean);
  if (ids.length > 1 && ids.every(isObjectId)) return <DocumentLinks ids={ids} />;
  if (isObjectId(text)) return <span className="muted">{t('Not visible to you')}</span>;
  return formatValue(type, text, format);
}

function formatValue(type: string | null, text: string, format: Format): string {
  if (text === '') return '–';
  if (type === 'number') return format.number(text);
  return type === 'date' || (type === null && /^\d{4}-\d{2}-\d{2}$/.test(text))
    ? format.date(text)
    : text;
}
