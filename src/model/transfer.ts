/** A file on its way to the DMS. `open` is called once, and its stream is read to the end or destroyed. */
export interface UploadFile {
  readonly name: string;
  /** A well-formed media type, with its parameters. Default: `application/octet-stream`. */
  readonly contentType?: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** A file on its way from the DMS. Whoever gets it reads `body` to the end or destroys it. */
export interface Download {
  /** 200, 206 or 416. */
  readonly status: number;
  /** The headers that describe the content, in lower case: type, disposition, length, range, validators. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> & { destroy(error?: Error): void };
}

/** A file that the request has announced; it is read in the order in which it arrives. */
export interface IncomingFile {
  readonly promise: Promise<{
    readonly filename: string;
    /** A well-formed media type: what the client sent, or `application/octet-stream`. */
    readonly contentType: string;
    createReadStream(): AsyncIterable<Uint8Array>;
  }>;
}
