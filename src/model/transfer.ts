import type { Readable } from 'node:stream';

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

/** A file of the upload request, of which the beginning has arrived. */
export interface ArrivedFile {
  /** Position among the files of the request. Files that arrive later have a greater one. */
  readonly position: number;
  readonly filename: string;
  /** A well-formed media type: the client's, otherwise `application/octet-stream`. */
  readonly contentType: string;
  readonly createReadStream: () => AsyncIterable<Uint8Array>;
}

/** A file that the upload request has announced. Files are read in the order in which they arrive. */
export interface IncomingFile {
  readonly promise: Promise<ArrivedFile>;
}
