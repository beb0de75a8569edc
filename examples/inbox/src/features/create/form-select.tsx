import type { ReactNode } from 'react';
import { useStore } from '../../../../ui/store.ts';
import { Field } from '../../components/field.tsx';
import { currentLanguage, textIn } from '../../language/language.ts';
import { useText } from '../../language/text.ts';

interface FormSelectProps {
  readonly forms: readonly {
    readonly id: string;
    readonly fullId: string;
    readonly titles: readonly { readonly language: string; readonly text: string }[];
  }[];
  /** Global ID of the selected form. Empty: none. */
  readonly selectedId: string;
  readonly onSelect: (id: string) => void;
  readonly issue: ReactNode;
  readonly isGone: boolean;
  readonly onReload: () => void;
}

export function FormSelect(props: FormSelectProps) {
  const { forms, selectedId, onSelect, issue, isGone, onReload } = props;
  const t = useText();
  const language = useStore(currentLanguage);
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
            {forms.map(({ id, fullId, titles }) => (
              <option key={id} value={id}>
                {textIn(titles, language) ?? fullId}
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
