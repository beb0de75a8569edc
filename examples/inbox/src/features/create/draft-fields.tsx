import { Field } from '../../components/field.tsx';
import { createActions } from '../../domain/workflow.ts';
import type { CreateAction } from '../../gql/graphql.ts';
import { useText } from '../../language/text.ts';
import { issueAt } from '../actions/mutation-problem.tsx';
import type { FieldDefinition } from '../fields/field-definition.ts';
import { ValueFields } from '../fields/value-fields.tsx';
import type { Draft } from './draft.ts';
import { FilePicker } from './file-picker.tsx';
import type { Attempt } from './use-submission.ts';

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
  /** Fields of the selected form. */
  readonly fields: readonly FieldDefinition[];
  readonly attempt: Attempt;
  readonly isDisabled: boolean;
}

/** Inputs for the values, the tags, the files and the action of a new document. */
export function DraftFields({ draft, onChange, fields, attempt, isDisabled }: DraftFieldsProps) {
  const { texts, tags, action, files, lostFiles } = draft;
  const { issues, ownIssues } = attempt;
  const t = useText();
  return (
    <>
      <div className="create-fields">
        <ValueFields
          fields={fields}
          texts={texts}
          onChange={(tag, text) => onChange({ texts: new Map(texts).set(tag, text) })}
          attempt={attempt}
        />
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
        lostFiles={lostFiles}
        onChange={(changed) => onChange({ files: changed, lostFiles: [] })}
        issue={ownIssues.get('files') ?? issueAt(issues, 'files')}
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
