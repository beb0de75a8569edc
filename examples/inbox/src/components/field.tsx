import { useId, type ReactNode } from 'react';
import { useText } from '../language/text.ts';

/** Attributes that connect a control with its label and its error. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly label: string;
  /** What to enter. */
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  /** Why the value was rejected. */
  readonly issue?: ReactNode;
  readonly children: (attributes: ControlAttributes) => ReactNode;
}

/** A labelled control with its hint and its error beside it. */
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
        {isRequired && <span className="field-required"> {t('(required)')}</span>}
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
