import { currencyOf } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useText } from '../../language/text.ts';
import { useFieldOf } from '../forms/form-fields.ts';
import { useRelatedObjects } from '../forms/related-objects.ts';
import { Card } from './card.tsx';
import { TableValue } from './table-value.tsx';
import { TextValue } from './text-value.tsx';

const documentValuesFragment = graphql(`
  fragment DocumentValues on Document {
    id
    values {
      __typename
      tag
      ... on TextValue {
        text
      }
      ...TableValue
    }
    ...DeclaredForm
    ...DeclaredReferences
  }
`);

interface DocumentValuesProps {
  readonly document: FragmentType<typeof documentValuesFragment>;
  /** Short or full ID. */
  readonly documentId: string;
}

/** The values of the form fields, with the labels and types of the form if the gateway knows it. */
export function DocumentValues({ documentId, ...props }: DocumentValuesProps) {
  const t = useText();
  const document = useFragment(documentValuesFragment, props.document);
  const { values } = document;
  const fieldOf = useFieldOf(document);
  const objects = useRelatedObjects(document);
  const texts = values.filter((value) => value.__typename === 'TextValue');
  const tables = values.filter((value) => value.__typename === 'TableValue');
  // The total of an invoice of the sandbox is in the currency beside it.
  const currency = currencyOf(objects.get(texts.find(({ tag }) => tag === 'currency')?.text ?? ''));
  if (values.length === 0) return null;
  return (
    <Card id="values" title={t('Values')} fragment={documentValuesFragment} documentId={documentId}>
      {texts.length > 0 && (
        <dl className="definition-list">
          {texts.map(({ tag, text }) => (
            <TextValue
              key={tag}
              field={fieldOf(tag)}
              text={text}
              objects={objects}
              currency={tag === 'total' ? currency : null}
            />
          ))}
        </dl>
      )}
      {tables.map((table) => (
        <TableValue
          key={table.tag}
          table={table}
          field={fieldOf(table.tag)}
          objects={objects}
          otherValue={(tag) => {
            const value = texts.find((one) => one.tag === tag);
            return value ? { label: fieldOf(tag).label, text: value.text } : null;
          }}
        />
      ))}
    </Card>
  );
}
