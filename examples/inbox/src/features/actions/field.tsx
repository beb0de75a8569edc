import { useId, type ReactNode } from 'react';

/** Attributes that connect a control with its label and its error. */
interface ControlAttributes {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly label: string;
  /** Why the value was rejected. */
  readonly issue?: string | undefined;
  readonly children: (attributes: ControlAttributes) => ReactNode;
}

/** A labelled control with its error beside it. */
export function Field({ label, issue, children }: FieldProps) {
  const id = useId();
  const isInvalid = issue !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(isInvalid && { 'aria-invalid': true, 'aria-describedby': `${id}-issue` }),
      })}
      {isInvalid && (
        <p id={`${id}-issue`} className="field-error">
          {issue}
        </p>
      )}
    </div>
  );
}
