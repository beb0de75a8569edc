import type { ValueType } from '../../language/reading.ts';

export interface FieldDefinition extends ValueType {
  readonly tag: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** The columns of a table. Empty if the form does not declare them. */
  readonly columns: readonly ColumnDefinition[];
}

export interface ColumnDefinition extends ValueType {
  readonly name: string;
  readonly label: string;
}
