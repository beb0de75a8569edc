import type { ValueType } from '../../language/reading.ts';

/** A field that a form defines. */
export interface FieldDefinition extends ValueType {
  readonly tag: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** The columns of a table. Empty if the form does not declare them. */
  readonly columns: readonly ColumnDefinition[];
}

/** A column that a form declares for a table. */
export interface ColumnDefinition extends ValueType {
  /** Name in the table. */
  readonly name: string;
  readonly label: string;
}
