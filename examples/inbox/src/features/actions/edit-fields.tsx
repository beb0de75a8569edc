import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormFields } from '../document/use-form-fields.ts';
import type { Edits } from './edits.ts';
import { Field } from '../../components/field.tsx';
import { issueAt, type Issues } from './mutation-problem.tsx';
import { useText } from '../../language/text.ts';

const editFieldsFragment = graphql(`
  fragment EditFields on Document {
    tags
    extra(names: ["topic", "form"])
    values {
      __typename
      tag
      ... on TextValue {
        text
      }
    }
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

/** Inputs for the text values and the tags of a document. */
export function EditFields({ document, edits, onChange, issues, sentTags }: EditFieldsProps) {
  const t = useText();
  const { tags, extra, values } = useFragment(editFieldsFragment, document);
  const fields = useFormFields(extra?.['form']);
  return (
    <div className="stack-small">
      {values.map(
        (value) =>
          value.__typename === 'TextValue' && (
            <Field
              key={value.tag}
              label={fields.get(value.tag)?.label ?? value.tag}
              issue={
                sentTags.includes(value.tag)
                  ? issueAt(issues, `values.${sentTags.indexOf(value.tag)}`)
                  : undefined
              }
            >
              {(attributes) => (
                <input
                  {...attributes}
                  autoComplete="off"
                  value={edits.values.get(value.tag) ?? value.text}
                  onChange={(event) => {
                    const changed = new Map(edits.values).set(value.tag, event.currentTarget.value);
                    onChange({ ...edits, values: changed });
                  }}
                />
              )}
            </Field>
          ),
      )}
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
