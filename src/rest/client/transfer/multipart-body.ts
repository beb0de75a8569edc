import { randomUUID } from 'node:crypto';
import type { UploadFile } from '../../../model/transfer.ts';

/**
 * A multipart/form-data body that is generated while it is sent, so that memory use does not depend on the size of the
 * files.
 */
export interface MultipartBody extends AsyncIterable<Uint8Array> {
  readonly contentType: string;
  /** Whether the closing boundary was produced. From then on the receiver may have the complete body. */
  readonly isComplete: boolean;
  /** Whether the body currently waits for data of a file, and not for the receiver. */
  readonly isWaitingForSource: boolean;
  /** Total time that the body has waited for data of files, in milliseconds, without the current wait. */
  readonly waitedForSourceMs: number;
  /** The error of a file's stream. Null if none has failed. */
  readonly failure: { readonly error: unknown } | null;
  /** Ends the body and destroys the open file. Can be called at any time and more than once. */
  stop(): void;
}

/**
 * Creates a body with the JSON parts first, then the files in order. Files are read one after the other, as fast as the
 * receiver accepts the data. If a file fails, the body fails before its closing boundary, so that the receiver never
 * mistakes a truncated file for a complete one.
 */
export function createMultipartBody(
  parts: Readonly<Record<string, unknown>>,
  files: AsyncIterable<UploadFile>,
): MultipartBody {
  return new StreamedMultipartBody(parts, files);
}

const encoder = new TextEncoder();

class StreamedMultipartBody implements MultipartBody {
  readonly contentType: string;
  isComplete = false;
  isWaitingForSource = false;
  waitedForSourceMs = 0;
  failure: { readonly error: unknown } | null = null;
  readonly #boundary = `form-${randomUUID()}`;
  readonly #parts: Readonly<Record<string, unknown>>;
  readonly #files: AsyncIterator<UploadFile>;
  #closeFile: (() => void) | null = null;
  #isStopped = false;
  #interrupt: (() => void) | null = null;

  constructor(parts: Readonly<Record<string, unknown>>, files: AsyncIterable<UploadFile>) {
    this.contentType = `multipart/form-data; boundary=${this.#boundary}`;
    this.#parts = parts;
    this.#files = files[Symbol.asyncIterator]();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (const [name, value] of Object.entries(this.#parts)) {
        yield this.#head(`name="${name}"`, 'application/json');
        yield encoder.encode(`${JSON.stringify(value)}\r\n`);
      }
      for (;;) {
        const next = await this.#pull(this.#files);
        if (next.done) break;
        const { name, contentType = 'application/octet-stream', open } = next.value;
        yield this.#head(`name="files"; filename="${escapeName(name)}"`, contentType);
        const file = open();
        const chunks = file[Symbol.asyncIterator]();
        this.#closeFile = () => close(file, chunks);
        for (;;) {
          const chunk = await this.#pull(chunks);
          if (chunk.done) break;
          yield chunk.value;
        }
        this.#closeFile = null;
        yield encoder.encode('\r\n');
      }
      this.isComplete = true;
      yield encoder.encode(`--${this.#boundary}--\r\n`);
    } finally {
      this.stop();
    }
  }

  #head(disposition: string, type: string): Uint8Array {
    return encoder.encode(
      `--${this.#boundary}\r\n` +
        `Content-Disposition: form-data; ${disposition}\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
    );
  }

  /**
   * Reads the next item of a source. `stop` rejects the wait, because a silent source may never end it. It creates a
   * single promise and no `Promise.race`: this runs for every chunk of a file, and each allocation counts.
   */
  #pull<T>(source: AsyncIterator<T>): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      const stopped = (): void => {
        this.isWaitingForSource = false;
        reject(new Error('stopped'));
      };
      if (this.#isStopped) return stopped();
      this.#interrupt = stopped;
      this.isWaitingForSource = true;
      const startedAt = performance.now();
      source.next().then(
        (result) => {
          this.isWaitingForSource = false;
          this.waitedForSourceMs += performance.now() - startedAt;
          return resolve(result);
        },
        (error: unknown) => {
          this.isWaitingForSource = false;
          if (!this.#isStopped) this.failure = { error };
          reject(error);
        },
      );
    });
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#interrupt?.();
    this.#closeFile?.();
    // The body has ended, so errors of closing the source are irrelevant.
    this.#files.return?.().catch(() => {});
  }
}

/** Destroys without an error: a stream without listeners would raise it in the process. */
function close(file: AsyncIterable<Uint8Array>, chunks: AsyncIterator<Uint8Array>): void {
  if ('destroy' in file && typeof file.destroy === 'function') file.destroy();
  else chunks.return?.().catch(() => {});
}

/** Escapes a file name as the HTML standard requires: UTF-8 unchanged; quotes and line breaks are percent-encoded. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
