import type { ComponentProps } from 'react';

/** A field that a form defines. */
export interface FieldDefinition {
  readonly tag: string;
  readonly label: string;
  /** Type of the DMS, such as `crmOrg`. Empty if it is unknown. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The columns of a table. Empty if the form does not declare them. */
  readonly columns: readonly ColumnDefinition[];
}

/** A column that a form declares for a table. */
export interface ColumnDefinition {
  /** Name in the table. */
  readonly name: string;
  readonly label: string;
  readonly type: string;
}

/** Returns the attributes of an input for a type. An input for dates cannot show another text. */
export function inputAttributes(type: string, text: string): ComponentProps<'input'> {
  if (type === 'number') return { inputMode: 'decimal' };
  return type === 'date' && /^(?:\d{4}-\d{2}-\d{2})?$/.test(text) ? { type: 'date' } : {};
}
