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
