import type { Translation } from './common.ts';

/** The definition of a kind of document. Each block is null where the DMS leaves it out. */
export interface Form {
  readonly fullId: string;
  readonly shortId: string | null;
  readonly docFormType: string | null;
  /** In the DMS's order; the text without a language has the language `''`. */
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

export interface CustomField {
  /** Such as `crmOrg`; empty where the DMS leaves it out. */
  readonly type: string;
  readonly required: boolean | null;
  readonly prefix: string | null;
  readonly fieldName: string | null;
  readonly names: readonly Translation[];
}

export interface DocumentNumberSettings {
  readonly enabled: boolean | null;
  readonly required: boolean | null;
  readonly autoRegistration: boolean | null;
  readonly autoRegistrationState: number | null;
}

export interface DescriptionSettings {
  readonly enabled: boolean | null;
  readonly required: boolean | null;
  readonly richText: boolean | null;
  readonly names: readonly Translation[];
}

export interface TopicSettings {
  readonly enabled: boolean | null;
  readonly required: boolean | null;
}

export interface DateSettings {
  readonly enabled: boolean | null;
  readonly editable: boolean | null;
}
