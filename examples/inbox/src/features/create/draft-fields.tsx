import { Fragment } from 'react';
import { Field } from '../../components/field.tsx';
import { useText } from '../../language/text.ts';
import { issueAt } from '../actions/mutation-problem.tsx';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { useValueControls } from '../fields/value-fields.tsx';
import type { Draft } from './draft.ts';
import type { Attempt } from './use-submission.ts';

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
  readonly fields: readonly FieldDefinition[];
  readonly attempt: Attempt;
}

export function DraftFields({ draft, onChange, fields, attempt }: DraftFieldsProps) {
  const { texts, tags } = draft;
  const t = useText();
  const controlOf = useValueControls({
    fields,
    texts,
    onChange: (tag, text) => onChange({ texts: new Map(texts).set(tag, text) }),
    attempt,
  });
  return (
    <>
      {fields.map((field) => (
        <Fragment key={field.tag}>{controlOf(field)}</Fragment>
      ))}
      <Field label={t('Tags, separated by commas')} issue={issueAt(attempt.issues, 'tags')}>
        {(attributes) => (
          <input
            {...attributes}
            autoComplete="off"
            value={tags}
            onChange={(event) => onChange({ tags: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}
