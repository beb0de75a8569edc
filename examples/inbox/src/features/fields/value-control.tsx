import type { ChangeEvent, ComponentProps, ReactNode } from 'react';
import { tableHint } from '../../domain/table-text.ts';
import { Field } from '../../components/field.tsx';
import { useText, type Label } from '../../language/text.ts';
import type { FieldDefinition } from './field-definition.ts';
import type { ObjectOptions } from './use-object-options.ts';

interface ValueControlProps {
  readonly field: FieldDefinition;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly issue: ReactNode;
  /** Objects to select from. Undefined: the user enters an ID. */
  readonly options: ObjectOptions | undefined;
}

const hints: Readonly<Record<string, Label>> = {
  crmOrg: 'ID of an organization',
  docForm: 'ID of a document, such as DOC-0042',
  docForms: 'IDs of documents, separated by commas',
  listValue: 'ID of a list value',
  person: 'System ID of a person, such as usr-ann',
  table: tableHint,
};

/** An input for dates cannot show another text. */
function inputAttributes(type: string, text: string): ComponentProps<'input'> {
  if (type === 'number') return { inputMode: 'decimal' };
  return type === 'date' && /^(?:\d{4}-\d{2}-\d{2})?$/.test(text) ? { type: 'date' } : {};
}

/** Whether a text is empty or one of the objects. Others can be gone, or invisible to the user. */
function hasOption(groups: Exclude<ObjectOptions, 'loading'>, text: string): boolean {
  return text === '' || groups.some(({ options }) => options.some(({ value }) => value === text));
}

/** The control for the type of a field, with its label. */
export function ValueControl({ field, text, onChange, issue, options }: ValueControlProps) {
  const t = useText();
  const { tag, label, type, isRequired } = field;
  const change = (
    event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>,
  ): void => onChange(event.currentTarget.value);
  const hint = options === undefined ? hints[type] : undefined;
  return (
    <Field label={label} hint={hint && t(hint)} isRequired={isRequired} issue={issue}>
      {(attributes) =>
        options === 'loading' ? (
          // An input would be replaced while the user types.
          <select {...attributes} disabled aria-busy>
            <option>{t('Loading…')}</option>
          </select>
        ) : options !== undefined ? (
          <select {...attributes} value={text} onChange={change}>
            <option value="">{t('None')}</option>
            {!hasOption(options, text) && <option value={text}>{text}</option>}
            {options.map((group, index) => (
              <optgroup key={index} label={group.label}>
                {group.options.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        ) : type === 'table' ? (
          <textarea {...attributes} rows={4} value={text} onChange={change} />
        ) : (
          <input
            {...attributes}
            {...inputAttributes(type, text)}
            name={tag}
            autoComplete="off"
            value={text}
            onChange={change}
          />
        )
      }
    </Field>
  );
}
