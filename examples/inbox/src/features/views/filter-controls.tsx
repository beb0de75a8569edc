import type { ComponentProps, ReactNode } from 'react';
import { Icon } from '../../../../ui/icon.tsx';
import { useText } from '../../language/text.ts';

interface FilterSelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly disabled?: boolean;
  readonly onSelect: (value: string) => void;
}

export function FilterSelect({ label, value, options, disabled, onSelect }: FilterSelectProps) {
  return (
    <FilterChip label={label} isSet={value !== ''} onClear={() => onSelect('')}>
      <select
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onSelect(event.currentTarget.value)}
      >
        <option value="">{label}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FilterChip>
  );
}

interface FilterInputProps extends Pick<ComponentProps<'input'>, 'type' | 'min' | 'max'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onClear: () => void;
}

export function FilterInput({ label, onChange, onClear, ...input }: FilterInputProps) {
  return (
    <FilterChip label={label} isSet={input.value !== ''} onClear={onClear}>
      <input
        {...input}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FilterChip>
  );
}

interface FilterChipProps {
  readonly label: string;
  readonly isSet: boolean;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** A control of a fixed width with a button that removes its condition, so that a condition moves nothing. */
export function FilterChip({ label, isSet, onClear, children }: FilterChipProps) {
  const t = useText();
  return (
    <span className={`filter-chip ${isSet ? 'filter-chip-set' : ''}`}>
      {children}
      {isSet && (
        <button
          type="button"
          aria-label={t('Remove {name}', { name: label })}
          onClick={({ currentTarget }) => {
            // The button disappears.
            currentTarget.parentElement?.querySelector<HTMLElement>('select, input')?.focus();
            onClear();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}
