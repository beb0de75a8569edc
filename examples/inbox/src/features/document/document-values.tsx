import { labelOfTag } from '../../domain/document.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { TableValue } from './table-value.tsx';
import { TextValue } from './text-value.tsx';
import { useFormFields } from './use-form-fields.ts';
import { isObjectId, useValueObjects } from './use-value-objects.ts';
import { useText } from '../../language/text.ts';

const documentValuesFragment = graphql(`
  fragment DocumentValues on Document {
    id
    extra(names: ["topic", "form"])
    values {
      __typename
      tag
      ... on TextValue {
        text
      }
      ...TableValue
    }
  }
`);

interface DocumentValuesProps {
  readonly document: FragmentType<typeof documentValuesFragment>;
}

/** The values of the form fields, with the labels and types of the form if the user can read it. */
export function DocumentValues(props: DocumentValuesProps) {
  const t = useText();
  const { id, extra, values } = useFragment(documentValuesFragment, props.document);
  const fields = useFormFields(extra?.['form']);
  const texts = values.filter((value) => value.__typename === 'TextValue');
  const tables = values.filter((value) => value.__typename === 'TableValue');
  const objectTags = texts.filter(({ text }) => isObjectId(text)).map(({ tag }) => tag);
  const objects = useValueObjects(id, objectTags);
  if (values.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="values-heading">
      <h2 id="values-heading">{t('Values')}</h2>
      {texts.length > 0 && (
        <dl className="definition-list">
          {texts.map(({ tag, text }) => (
            <TextValue
              key={tag}
              label={fields.get(tag)?.label ?? labelOfTag(tag)}
              type={fields.get(tag)?.type ?? null}
              text={text}
              object={objects?.get(tag)}
              isLoading={objects === undefined && objectTags.includes(tag)}
            />
          ))}
        </dl>
      )}
      {tables.map((table) => (
        <TableValue
          key={table.tag}
          table={table}
          label={fields.get(table.tag)?.label ?? labelOfTag(table.tag)}
        />
      ))}
    </section>
  );
}
