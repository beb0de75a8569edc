import type { ChangeEvent, ReactNode } from 'react';
import { Field, type ControlAttributes } from '../../components/field.tsx';
import { useFormat, useLocale } from '../../language/format.ts';
import { readValue, rewriteValue } from '../../language/reading.ts';
import { useText } from '../../language/text.ts';
import type { RelatedObjects } from '../forms/related-objects.ts';
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
  readonly objects?: RelatedObjects | undefined;
}

const objectInputs: Readonly<Record<string, typeof PersonInput>> = {
  crmOrg: OrganizationInput,
  docForm: DocumentInput,
  docForms: DocumentsInput,
  person: PersonInput,
};

export function ValueControl(props: ValueControlProps) {
  const { field, text, onChange, issue, options, objects } = props;
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
          <ObjectInput {...{ attributes, objects, value: text, onChange }} />
        ) : options !== undefined ? (
          <OptionInput {...{ attributes, options, objects, value: text, onChange }} />
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
  readonly objects: RelatedObjects | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function OptionInput({ attributes, options, objects, value, onChange }: OptionInputProps) {
  const t = useText();
  const isLoading = options === 'loading';
  const groups = isLoading ? [] : options;
  const all = groups.flatMap((group) => group.options);
  const current = all.find((option) => option.value === value);
  const other = objects?.get(value)?.name ?? t(isLoading ? 'Loading…' : 'Not visible to you');
  return (
    <select
      {...attributes}
      aria-busy={isLoading}
      value={value}
      onChange={(event: ChangeEvent<HTMLSelectElement>) => onChange(event.currentTarget.value)}
    >
      <option value="">{t('None')}</option>
      {/* It can be gone, or invisible to the user. */}
      {value !== '' && !current && <option value={value}>{other}</option>}
      {groups.map((group, index) => (
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
