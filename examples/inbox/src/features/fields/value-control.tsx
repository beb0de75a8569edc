import type { ChangeEvent, ReactNode } from 'react';
import { Field, type ControlAttributes } from '../../components/field.tsx';
import { useFormat, useLocale } from '../../language/format.ts';
import { readValue, rewriteValue } from '../../language/reading.ts';
import { useText } from '../../language/text.ts';
import type { FieldDefinition } from './field-definition.ts';
import { DocumentInput, DocumentsInput, OrganizationInput, PersonInput } from './object-field.tsx';
import { TableField, type TableFieldProps } from './table-field.tsx';
import type { ListOptions } from './use-list-options.ts';

interface ValueControlProps {
  readonly field: FieldDefinition;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly issue: ReactNode;
  readonly cellIssue?: TableFieldProps['cellIssue'];
  readonly otherField?: TableFieldProps['otherField'];
  /** List values to select from. Undefined: the user enters an ID. */
  readonly options: ListOptions | undefined;
}

const objectInputs: Readonly<Record<string, typeof PersonInput>> = {
  crmOrg: OrganizationInput,
  docForm: DocumentInput,
  docForms: DocumentsInput,
  person: PersonInput,
};

export function ValueControl(props: ValueControlProps) {
  const { field, text, onChange, issue, options } = props;
  const t = useText();
  const locale = useLocale();
  const format = useFormat();
  const { tag, label, type, isRequired } = field;
  if (type === 'table') return <TableField {...props} />;
  const date = type === 'date' ? readValue(field, text, locale) : '';
  const hint = date
    ? format.longDate(date)
    : options === undefined && type === 'listValue' && t('ID of a list value');
  const ObjectInput = objectInputs[type];
  return (
    <Field label={label} hint={hint || undefined} isRequired={isRequired} issue={issue}>
      {(attributes) =>
        ObjectInput ? (
          <ObjectInput attributes={attributes} value={text} onChange={onChange} />
        ) : options !== undefined ? (
          <OptionInput attributes={attributes} options={options} value={text} onChange={onChange} />
        ) : (
          <input
            {...attributes}
            {...(type === 'number' && { inputMode: 'decimal' as const })}
            name={tag}
            autoComplete="off"
            value={text}
            onChange={(event) => onChange(event.currentTarget.value)}
            onBlur={() => onChange(rewriteValue(field, text, locale))}
          />
        )
      }
    </Field>
  );
}

interface OptionInputProps {
  readonly attributes: ControlAttributes;
  readonly options: ListOptions;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function OptionInput({ attributes, options, value, onChange }: OptionInputProps) {
  const t = useText();
  if (options === 'loading') {
    // An input would be replaced while the user types.
    return <input {...attributes} disabled aria-busy placeholder={t('Loading…')} />;
  }
  const all = options.flatMap((group) => group.options);
  const current = all.find((option) => option.value === value);
  return (
    <select
      {...attributes}
      value={value}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => onChange(event.currentTarget.value)}
    >
      <option value="">{t('None')}</option>
      {/* It can be gone, or invisible to the user. */}
      {value !== '' && !current && <option value={value}>{t('Not visible to you')}</option>}
      {options.map((group, index) => (
        <optgroup key={index} label={group.label}>
          {group.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
