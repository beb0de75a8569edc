import { useId, type ReactNode } from 'react';
import { useText } from '../language/text.ts';

export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  readonly issue?: ReactNode;
  readonly children: (attributes: ControlAttributes) => ReactNode;
}

export function Field({ label, hint, isRequired = false, issue, children }: FieldProps) {
  const t = useText();
  const id = useId();
  const isInvalid = issue !== undefined;
  const descriptions = [hint !== undefined && `${id}-hint`, isInvalid && `${id}-issue`];
  const describedBy = descriptions.filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isRequired && <span> {t('(required)')}</span>}
      </label>
      {children({
        id,
        ...(isRequired && { 'aria-required': true }),
        ...(isInvalid && { 'aria-invalid': true }),
        ...(describedBy !== '' && { 'aria-describedby': describedBy }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="muted small">
          {hint}
        </p>
      )}
      {isInvalid && (
        <p id={`${id}-issue`} className="field-error">
          {issue}
        </p>
      )}
    </div>
  );
}
