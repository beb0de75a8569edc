import type { ReactNode } from 'react';
import { Field } from '../../components/field.tsx';
import { useText } from '../../language/text.ts';

interface FormSelectProps {
  readonly forms: readonly {
    readonly id: string;
    readonly fullId: string;
    readonly title: string | null;
  }[];
  /** Global ID of the selected form. Empty: none. */
  readonly selectedId: string;
  readonly onSelect: (id: string) => void;
  readonly issue: ReactNode;
  /** Whether the gateway did not find the selected form. */
  readonly isGone: boolean;
  /** Reads the forms again. */
  readonly onReload: () => void;
}

/** The form of a new document. */
export function FormSelect(props: FormSelectProps) {
  const { forms, selectedId, onSelect, issue, isGone, onReload } = props;
  const t = useText();
  return (
    <>
      <Field
        label={t('Form')}
        isRequired
        issue={
          isGone
            ? t('This form no longer exists. Select another one: your entries are kept.')
            : issue
        }
      >
        {(attributes) => (
          <select
            {...attributes}
            value={selectedId}
            onChange={(event) => onSelect(event.currentTarget.value)}
          >
            <option value="">{t('Select a form')}</option>
            {forms.map(({ id, fullId, title }) => (
              <option key={id} value={id}>
                {title ?? fullId}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isGone && (
        <div>
          <button type="button" className="button" onClick={onReload}>
            {t('Read the forms again')}
          </button>
        </div>
      )}
    </>
  );
}
