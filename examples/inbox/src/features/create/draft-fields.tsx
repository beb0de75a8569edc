import type { ReactNode } from 'react';
import { Field } from '../../components/field.tsx';
import { createActions } from '../../domain/workflow.ts';
import type { CreateAction } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import { issueAt, type Issues } from '../actions/mutation-problem.tsx';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { useObjectOptions } from '../fields/use-object-options.ts';
import { ValueControl } from '../fields/value-control.tsx';
import type { Draft } from './draft.ts';
import { checkTexts } from './check-texts.ts';
import { FilePicker } from './file-picker.tsx';
import type { Attempt } from './use-submission.ts';

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
  /** Fields of the selected form. */
  readonly fields: readonly FieldDefinition[];
  readonly attempt: Attempt;
  /** Issues that the gateway found. */
  readonly issues: Issues;
  readonly isDisabled: boolean;
}

/** Inputs for the values, the tags, the files and the action of a new document. */
export function DraftFields(props: DraftFieldsProps) {
  const { draft, onChange, fields, attempt, issues, isDisabled } = props;
  const { texts, tags, action, files } = draft;
  const t = useText();
  const options = useObjectOptions(fields);
  const current = checkTexts(fields, texts);
  const issueOf = (tag: string): ReactNode => {
    const index = attempt.sentTags.indexOf(tag);
    const own = attempt.ownIssues.get(tag);
    // It disappears when the value is corrected.
    if (own !== undefined) return current.has(tag) || !texts.get(tag) ? own : undefined;
    return index < 0 ? undefined : issueAt(issues, `values.${index}`);
  };
  return (
    <>
      <div className="create-fields">
        {fields.map((field) => (
          <ValueControl
            key={field.tag}
            field={field}
            text={texts.get(field.tag) ?? ''}
            onChange={(text) => onChange({ texts: new Map(texts).set(field.tag, text) })}
            issue={issueOf(field.tag)}
            options={options.get(field.type)}
          />
        ))}
        <Field label={t('Tags, separated by commas')} issue={issueAt(issues, 'tags')}>
          {(attributes) => (
            <input
              {...attributes}
              autoComplete="off"
              value={tags}
              onChange={(event) => onChange({ tags: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <FilePicker
        files={files}
        onChange={(changed) => onChange({ files: changed })}
        issue={attempt.ownIssues.get('files') ?? issueAt(issues, 'files')}
        isDisabled={isDisabled}
      />
      <Field label={t('After creation')} issue={issueAt(issues, 'action')}>
        {(attributes) => (
          <select
            {...attributes}
            value={action}
            onChange={(event) =>
              onChange({ action: event.currentTarget.value as CreateAction | '' })
            }
          >
            <option value="">{t('Keep as a draft')}</option>
            {Object.entries(createActions).map(([value, label]) => (
              <option key={value} value={value}>
                {t(label)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
