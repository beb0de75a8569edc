import type { Readable } from 'node:stream';
import type { FileUpload } from 'graphql-upload-minimal';

/** A file to upload to the DMS. `open` is called once. Its stream is read to the end or destroyed. */
export interface UploadFile {
  readonly name: string;
  /** A well-formed media type with its parameters. Default: `application/octet-stream`. */
  readonly contentType?: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** A file that is being downloaded from the DMS. The receiver reads `body` to the end or destroys it. */
export interface Download {
  /** 200, 206 or 416. */
  readonly status: number;
  /** The headers that describe the content, with names in lower case: type, disposition, length, range, validators. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** A file of the upload request, of which the beginning has arrived. Its stream can be created once. */
export interface ArrivedFile extends FileUpload {
  /**
   * Position among the files of the request. Files that arrive later have a greater one. Unset if the file is not from a
   * request.
   */
  readonly position?: number;
}
