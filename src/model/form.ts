import type { Translation } from './common.ts';

/** The definition of a document form. Each block of settings is null if the DMS does not send it. */
export interface Form {
  readonly fullId: string;
  readonly shortId: string | null;
  readonly docFormType: string | null;
  /** Titles in the order of the DMS. A title without a language has the language `''`. */
  readonly titles: readonly Translation[];
  readonly status: number | null;
  readonly customFields: readonly CustomField[];
  readonly documentNumber: DocumentNumberSettings | null;
  readonly description: DescriptionSettings | null;
  readonly topic: TopicSettings | null;
  readonly dateCreated: DateSettings | null;
  readonly dateDue: DateSettings | null;
  readonly processId: string | null;
}

/** A field that an installation adds to a form. The DMS stores its value under a tag. */
export interface CustomField {
  /** Type of the field, such as `crmOrg`. Empty if the DMS does not send it. */
  readonly type: string;
  readonly required: boolean | null;
  readonly prefix: string | null;
  readonly fieldName: string | null;
  readonly names: readonly Translation[];
  /**
   * The columns of a table, whose `fieldName` is the name in its first row. The specification has none, so only a file
   * of forms can declare them.
   */
  readonly columns?: readonly CustomField[];
}

/** How a form treats the document number. REST spec, SysForm, `docNum`. */
export interface DocumentNumberSettings {
  readonly enabled: boolean | null;
  readonly required: boolean | null;
  readonly autoRegistration: boolean | null;
  readonly autoRegistrationState: number | null;
}

/** How a form treats the description of a document, and its labels by language. */
export interface DescriptionSettings {
  readonly enabled: boolean | null;
  readonly required: boolean | null;
  readonly richText: boolean | null;
  readonly names: readonly Translation[];
}

/** Whether a form has a document topic, and whether it is mandatory. */
export interface TopicSettings {
  readonly enabled: boolean | null;
  readonly required: boolean | null;
}

/** Whether a form shows a date of the document, and whether users can edit it. */
export interface DateSettings {
  readonly enabled: boolean | null;
  readonly editable: boolean | null;
}

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

export interface FormOptions {
  /**
   * Names of forms and fields, by the short ID of the form, or by form and tag: `{ 'invoice.2nd': 'second' }`. Default:
   * the ID or tag in camelCase.
   */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Types by the type of the custom field, or by form and tag: `{ crmOrg: 'Organization', 'invoice.total': 'Decimal' }`.
   * A type in brackets is a list: `[Document]`. Default: `String`; `Organization` for `crmOrg`.
   */
  readonly types?: Readonly<Record<string, string>>;
  /**
   * Name in the DMS of the property of a document that contains the full ID of its form. Default: not known, so that the
   * tags of a document decide.
   */
  readonly documentProperty?: string;
}

/** The forms that become types: the option `forms` of the configuration. */
export interface FormsConfig extends FormOptions {
  /**
   * Path of a JSON file with the forms as the DMS lists them, which `dms-graphql-gateway forms` writes. Relative to the
   * configuration file, or to the working directory where an object is the configuration: `createResolvers`,
   * `startGateway`, `printSchemaOf`.
   */
  readonly file: string;
}
