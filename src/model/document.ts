import type { FieldValue, JsonObject, Meta } from './common.ts';
import type { DocumentResponse } from './document-response.ts';

export type DocumentView = 'INBOX' | 'MY_DOCS' | 'REPOSITORY' | 'ARCHIVE' | 'ALL';

/**
 * What is known of a document. A property that was not asked for is `undefined`; one that was asked for
 * and is unset in the DMS is null or an empty list. Only the full id is always there.
 */
export interface Document {
  readonly fullId: string;
  readonly shortId?: string | null;
  readonly meta?: Meta | null;
  /** System id: `usr-…` is a person, `api-…` a service account. */
  readonly author?: string | null;
  readonly state?: number | null;
  readonly step?: number | null;
  readonly iteration?: number | null;
  readonly status?: number | null;
  readonly formSystemType?: number | null;
  readonly dateCreated?: string | null;
  readonly dateDue?: string | null;
  readonly tags?: readonly string[];
  readonly values?: DocumentValues;
  readonly files?: readonly File[];
  readonly response?: DocumentResponse | null;
  readonly recoData?: readonly RecoData[];
  /** Ids (full or short) of the documents that list this one in their references. */
  readonly refByDocs?: readonly string[];
  /** Properties that the schema does not name, under the DMS's own names. */
  readonly extra?: JsonObject;
}

/** The values of a form's fields. They are read as text and tables whenever they are asked for, and not kept. */
export interface DocumentValues {
  /** In the DMS's own shape. */
  readonly byTags: JsonObject | null;
  /** All of them, in the order of the DMS. A tag without a value is left out. */
  list(): FieldValue[];
  /** Null for a tag without a value. */
  value(tag: string): FieldValue | null;
}

/** An attachment. */
export interface File {
  /** Full id of the document that it belongs to. */
  readonly documentId: string;
  readonly id: string;
  readonly name: string;
}

/** One recognition form that was found in an attachment. Pages count from 0. */
export interface RecoData {
  /** Full id of the document that it belongs to. */
  readonly documentId: string;
  readonly id: string;
  readonly pageIndexStart?: number | null;
  readonly pageIndexEnd?: number | null;
  readonly validated?: boolean | null;
  readonly form?: RecoForm | null;
  readonly result?: RecoResult | null;
  readonly values?: DocumentValues;
}

export interface RecoForm {
  readonly id: string | null;
  readonly name: string | null;
  readonly form: unknown;
}

/** `confidence` as the DMS gives it. */
export interface RecoResult {
  readonly form?: RecoForm | null;
  readonly confidence?: number | null;
}

/** Text read from a document. `totalCount` is the DMS's own count, null if the DMS does not send it. */
export interface RecognizedText {
  readonly text: string;
  readonly page: number | null;
  readonly totalCount: number | null;
}

/** Which documents of a view: any of the forms, any of the authors, all of the tags. */
export interface DocumentFilter {
  /** 0 to 100 */
  readonly state?: number;
  /** 0 to 100 */
  readonly step?: number;
  /** 0 to 100 */
  readonly iteration?: number;
  /** 1 to 10 */
  readonly status?: number;
  /** Full ids of forms. */
  readonly forms?: readonly string[];
  /** System ids of authors. */
  readonly authors?: readonly string[];
  readonly tags?: readonly string[];
}
