import { Field } from '../../components/field.tsx';
import { useText } from '../../language/text.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';
import type { Texts } from '../fields/field-values.ts';
import { ValueFields, type FieldsAttempt } from '../fields/value-fields.tsx';
import type { Edits } from './edits.ts';
import { issueAt } from './mutation-problem.tsx';

interface EditFieldsProps {
  readonly fields: readonly FieldDefinition[];
  /** The values of the document before the changes. */
  readonly before: Texts;
  readonly tags: readonly string[];
  readonly edits: Edits;
  readonly onChange: (edits: Edits) => void;
  readonly attempt: FieldsAttempt;
}

/** Inputs for the values and the tags of a document. */
export function EditFields({ fields, before, tags, edits, onChange, attempt }: EditFieldsProps) {
  const t = useText();
  return (
    <div className="edit-fields">
      <ValueFields
        fields={fields.filter(({ tag }) => before.has(tag))}
        texts={new Map([...before, ...edits.texts])}
        onChange={(tag, text) => onChange({ ...edits, texts: new Map(edits.texts).set(tag, text) })}
        attempt={attempt}
      />
      <Field label={t('Tags, separated by commas')} issue={issueAt(attempt.issues, 'tags')}>
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
