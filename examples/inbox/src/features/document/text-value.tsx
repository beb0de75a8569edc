import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormat, type Format } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import type { RelatedObjects } from '../forms/related-objects.ts';

const referenceTypes: Readonly<Record<string, 'one' | 'many'>> = {
  crmOrg: 'one',
  docForm: 'one',
  docForms: 'many',
  listValue: 'one',
  person: 'one',
};

interface TextValueProps {
  readonly field: FieldDefinition;
  readonly text: string;
  readonly objects: RelatedObjects;
  readonly currency?: string | null;
  readonly children?: ReactNode;
}

export function TextValue({ field, text, objects, currency = null, children }: TextValueProps) {
  const ids = idsIn(field.type, text);
  return (
    <div className="value-row">
      <dt>{field.label}</dt>
      <dd>
        {ids.length > 1 ? (
          <ul>
            {ids.map((id) => (
              <li key={id}>
                <Content type={field.type} text={id} objects={objects} />
              </li>
            ))}
          </ul>
        ) : (
          <Content type={field.type} text={text} objects={objects} currency={currency} />
        )}
        {children}
      </dd>
    </div>
  );
}

function idsIn(type: string, text: string): readonly string[] {
  return referenceTypes[type] === 'many' ? text.split(/[\s,;]+/).filter(Boolean) : [];
}

interface ContentProps extends Omit<TextValueProps, 'field' | 'children'> {
  readonly type: string;
}

export function Content({ type, text, objects, currency = null }: ContentProps) {
  const t = useText();
  const format = useFormat();
  if (text === '') return '–';
  if (type === 'number') return <span className="amount">{format.number(text, currency)}</span>;
  if (!referenceTypes[type]) return formatValue(type, text, format);
  const object = objects.get(text);
  if (!object) return <span className="muted">{t('Not visible to you')}</span>;
  const { name, detail, documentId } = object;
  if (documentId !== null) {
    return <Link to={`/app/documents/${encodeURIComponent(documentId)}`}>{name}</Link>;
  }
  return (
    <>
      {name} {detail && <span className="muted small">{detail}</span>}
    </>
  );
}

function formatValue(type: string, text: string, format: Format): string {
  return type === 'date' || (type === '' && /^\d{4}-\d{2}-\d{2}$/.test(text))
    ? format.date(text)
    : text;
}
