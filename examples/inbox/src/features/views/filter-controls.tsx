import type { ComponentProps } from 'react';
import { Field } from '../../components/field.tsx';
import { useText } from '../../language/text.ts';

interface FilterSelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly disabled?: boolean;
  readonly onSelect: (value: string) => void;
}

/** A condition to select. The empty value is no condition. */
export function FilterSelect({ label, value, options, disabled, onSelect }: FilterSelectProps) {
  const t = useText();
  return (
    <Field label={label}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          disabled={disabled}
          onChange={(event) => onSelect(event.currentTarget.value)}
        >
          <option value="">{t('Any')}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FilterInputProps extends Pick<
  ComponentProps<'input'>,
  'type' | 'min' | 'max' | 'placeholder'
> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A condition to enter. The empty text is no condition. */
export function FilterInput({ label, onChange, ...input }: FilterInputProps) {
  return (
    <Field label={label}>
      {(attributes) => (
        <input
          {...attributes}
          {...input}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
