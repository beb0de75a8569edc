import type { ChangeEvent } from 'react';
import { tableHint } from '../../domain/table-text.ts';
import { graphql, useFragment, type FragmentType } from '../../gql/index.ts';
import { useFormFields } from '../document/use-form-fields.ts';
import { editableText, type Edits } from './edits.ts';
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
      ... on TableValue {
        columns
        rows
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

/** Inputs for the values and the tags of a document. A table is edited as a text. */
export function EditFields({ document, edits, onChange, issues, sentTags }: EditFieldsProps) {
  const t = useText();
  const { tags, extra, values } = useFragment(editFieldsFragment, document);
  const fields = useFormFields(extra?.['form']);
  return (
    <div className="stack-small">
      {values.map((value) => {
        const { tag } = value;
        const text = edits.values.get(tag) ?? editableText(value);
        if (text === null) return null;
        const isTable = value.__typename === 'TableValue';
        const change = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
          onChange({ ...edits, values: new Map(edits.values).set(tag, event.currentTarget.value) });
        };
        const index = sentTags.indexOf(tag);
        return (
          <Field
            key={tag}
            label={fields.get(tag)?.label ?? tag}
            hint={isTable ? t(tableHint) : undefined}
            issue={index < 0 ? undefined : issueAt(issues, `values.${index}`)}
          >
            {(attributes) =>
              isTable ? (
                <textarea {...attributes} rows={4} value={text} onChange={change} />
              ) : (
                <input {...attributes} autoComplete="off" value={text} onChange={change} />
              )
            }
          </Field>
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
