import type { Translation } from './common.ts';
import type { Form } from './form.ts';

/** The types that the value of a form field can have. */
export const valueTypes = [
  'String',
  'Decimal',
  'Date',
  'DateTime',
  'Boolean',
  'Organization',
  'Person',
  'OrgUnit',
  'ListValue',
  'Document',
  'Table',
] as const;

/** The type of a form field: a scalar, an object of which the value is the ID, or a table. */
export type ValueType = (typeof valueTypes)[number];

/** A field of a form, or a column of a table, as a field of a GraphQL type. */
export interface TypedField {
  /** Tag of the value, or the name of the column in the first row of the table. */
  readonly tag: string;
  /** Name of the GraphQL field. */
  readonly name: string;
  readonly type: ValueType;
  /** Whether the text contains several values, separated by commas. */
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly labels: readonly Translation[];
  /** Name of the GraphQL type of a row. Null if the form declares no columns. */
  readonly rowType: string | null;
  /** The declared columns of a table. */
  readonly columns: readonly TypedField[];
}

/** A form as a GraphQL type. It has at least one field. */
export interface TypedForm {
  readonly form: Form;
  /** Name of the field of Document and of the inputs. */
  readonly name: string;
  /** Name of the GraphQL type. */
  readonly typeName: string;
  readonly fields: readonly TypedField[];
}

/** The forms that the operator has declared. */
export interface DeclaredForms {
  /** All forms, in the order of the file. */
  readonly all: readonly Form[];
  /** The forms with fields. */
  readonly typed: readonly TypedForm[];
  /** Types of the fields with each tag, in all forms. */
  readonly typesByTag: ReadonlyMap<string, ReadonlySet<ValueType>>;
  /** Name in the DMS of the property of a document that contains the full ID of its form. Null if it is not known. */
  readonly documentProperty: string | null;
  /** Whether plain values of inputs are checked too (`VALIDATE_VALUES`). */
  readonly validatesValues: boolean;
}
