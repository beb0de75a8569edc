import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFieldOf } from '../forms/form-fields.ts';
import { useObjectOptions } from '../fields/use-object-options.ts';
import { ValueControl } from '../fields/value-control.tsx';
import { editableText, type Edits } from './edits.ts';
import { Field } from '../../components/field.tsx';
import { issueAt, type Issues } from './mutation-problem.tsx';
import { useText } from '../../language/text.ts';

const editFieldsFragment = graphql(`
  fragment EditFields on Document {
    id
    tags
    values {
      __typename
      tag
      ... on TextValue {
        text
      }
      ... on TableValue {
        columns
        rows
      }
    }
    ...DeclaredForm
  }
`);

interface EditFieldsProps {
  readonly document: FragmentType<typeof editFieldsFragment>;
  readonly edits: Edits;
  readonly onChange: (edits: Edits) => void;
  readonly issues: Issues;
  /** Tags of the values that were sent, in their order: an issue has the position of its value. */
  readonly sentTags: readonly string[];
}

/** Inputs for the values and the tags of a document. */
export function EditFields({ document, edits, onChange, issues, sentTags }: EditFieldsProps) {
  const t = useText();
  const { tags, values, ...rest } = useFragment(editFieldsFragment, document);
  const fieldOf = useFieldOf(rest);
  const fields = values.map(({ __typename, tag }) => {
    const field = fieldOf(tag);
    const isTable = __typename === 'TableValue';
    return { ...field, type: isTable ? 'table' : field.type, isRequired: false };
  });
  const options = useObjectOptions(fields);
  return (
    <div className="stack-small">
      {values.map((value, index) => {
        const field = fields[index]!;
        const { tag, type } = field;
        const text = edits.values.get(tag) ?? editableText(value);
        if (text === null) return null;
        const position = sentTags.indexOf(tag);
        return (
          <ValueControl
            key={tag}
            field={field}
            text={text}
            onChange={(entered) =>
              onChange({ ...edits, values: new Map(edits.values).set(tag, entered) })
            }
            issue={position < 0 ? undefined : issueAt(issues, `values.${position}`)}
            options={options.get(type)}
          />
        );
      })}
      <Field label={t('Tags, separated by commas')} issue={issueAt(issues, 'tags')}>
        {(attributes) => (
          <input
            {...attributes}
            autoComplete="off"
            value={edits.tags ?? tags.join(', ')}
            onChange={(event) => onChange({ ...edits, tags: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}
