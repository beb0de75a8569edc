import type { Readable } from 'node:stream';
import type { DocumentTable, FieldValue, JsonObject, Meta } from './common.ts';

/** A predefined list of documents. REST spec, Documents 3, describes each. */
export type DocumentView = 'INBOX' | 'MY_DOCS' | 'REPOSITORY' | 'ARCHIVE' | 'ALL';

/**
 * The known properties of a document. A property that was not requested is `undefined`. One that was requested and is
 * unset in the DMS is null or an empty list. Only the full ID is always set.
 */
export interface Document {
  readonly fullId: string;
  readonly shortId?: string | null;
  readonly meta?: Meta | null;
  /** System ID: `usr-…` for a person, `api-…` for a service account. */
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
  /** IDs (full or short) of the documents that reference this one. */
  readonly refByDocs?: readonly string[];
  /** Properties that the schema does not define, by their names in the DMS. */
  readonly extra?: JsonObject;
}

/** A field value of a document. */
export type DocumentValue = Extract<FieldValue, { kind: 'text' }> | DocumentTable;

/** The field values of a document. They are parsed when they are read. */
export interface DocumentValues {
  /** The JSON of the DMS, unchanged. Null if it sent none. */
  readonly byTags: JsonObject | null;
  /**
   * The values in the order of the DMS, without tags that have no value.
   *
   * @param wanted default: all tags
   */
  list(wanted?: ReadonlySet<string>): DocumentValue[];
  /**
   * The tags that have a value, in the order of the DMS.
   *
   * @internal
   * @param wanted default: all tags
   */
  tags(wanted?: ReadonlySet<string>): readonly string[];
  /**
   * The texts of all values, and of the cells of tables.
   *
   * @internal
   */
  texts(): Iterable<string>;
  /** The value of one tag. Null if it has none. */
  value(tag: string): DocumentValue | null;
}

export interface File {
  readonly documentId: string;
  readonly id: string;
  readonly name: string;
}

export interface UploadFile {
  readonly name: string;
  /** A well-formed media type with its parameters. Default: `application/octet-stream`. */
  readonly contentType?: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

export const conditionHeaders = [
  'range',
  'if-match',
  'if-unmodified-since',
  'if-none-match',
  'if-modified-since',
  'if-range',
] as const;

export type Conditions = { readonly [Name in (typeof conditionHeaders)[number]]?: string };

export interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** A file that a client uploads, with the members that graphql-upload-minimal defines. */
export interface FileUpload {
  /** The name that the client gave. */
  readonly filename: string;
  /** The name of its part of the request. */
  readonly fieldName: string;
  readonly mimetype: string;
  readonly encoding: string;
  /** Returns the content. It can be called once. */
  createReadStream(): Readable;
}

export interface ArrivedFile extends FileUpload {
  readonly position?: number;
}

/** A recognition form that was identified in an attachment. Pages are counted from 0. */
export interface RecoData {
  /** Full ID of the document. */
  readonly documentId: string;
  readonly id: string;
  readonly pageIndexStart?: number | null;
  readonly pageIndexEnd?: number | null;
  readonly validated?: boolean | null;
  readonly form?: RecoForm | null;
  readonly result?: RecoResult | null;
  readonly values?: DocumentValues;
}

/** The recognition form of an entry. `form` is a value of unspecified type (REST spec, RecoData) and passed through. */
export interface RecoForm {
  readonly id: string | null;
  readonly name: string | null;
  readonly form: unknown;
}

/** The result of recognition. `confidence` is the number that the DMS sends; its range is not specified. */
export interface RecoResult {
  readonly form?: RecoForm | null;
  readonly confidence?: number | null;
}

/**
 * Recognized text of a document, or of one page. `totalCount` is the count that the DMS sends, null if it sends none.
 */
export interface RecognizedText {
  readonly text: string;
  readonly page: number | null;
  readonly totalCount: number | null;
}

export interface DocumentFilter {
  readonly state?: number;
  readonly step?: number;
  readonly iteration?: number;
  readonly status?: number;
  readonly forms?: readonly string[];
  readonly authors?: readonly string[];
  readonly tags?: readonly string[];
}

/** An action of a participant in the current phase. */
export type ResponseAction =
  | 'APPROVE'
  | 'APPROVE_WITH_EDITS'
  | 'DECLINE'
  | 'COMPLETE_EXECUTION'
  | 'SIGN';

/** An action that can be requested when a document is created. */
export type CreateAction =
  | 'SEND_TO_APPROVAL'
  | 'RESEND'
  | 'SEND_TO_SIGN'
  | 'SEND_TO_EXECUTION'
  | 'SEND_TO_ARCHIVE'
  | 'SEND_TO_REPOSITORY';

/** An action that moves a document to another phase or changes its status. */
export type PhaseAction = CreateAction | 'SUSPEND' | 'RESUME' | 'CANCEL' | 'BLOCK' | 'DELETE';

/** Every action that the DMS defines. */
export type WorkflowAction = ResponseAction | PhaseAction;

/** A participant's response in a workflow phase. As in `Document`, a property that was not requested is `undefined`. */
export interface DocumentResponse {
  readonly fullId: string;
  /** Full ID of the document. */
  readonly documentId?: string | null;
  readonly state?: number | null;
  readonly status?: number | null;
  readonly step?: number | null;
  readonly iteration?: number | null;
  readonly actionCode?: number | null;
  /** The action of the code, read together with it. Null if the code is unknown. */
  readonly action?: WorkflowAction | null;
  readonly resolutionId?: string | null;
  /** System ID of a person. */
  readonly resolvedTo?: string | null;
  readonly content?: string | null;
  readonly author?: string | null;
  readonly meta?: Meta | null;
}
