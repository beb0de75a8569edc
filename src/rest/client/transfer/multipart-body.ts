import { randomUUID } from 'node:crypto';
import type { UploadFile } from '../../../model/transfer.ts';

/** A multipart/form-data body that is made while it is sent, so that memory does not grow with the files. */
export interface MultipartBody extends AsyncIterable<Uint8Array> {
  readonly contentType: string;
  /** Whether the closing boundary was handed over: from then on the receiver may have the whole body. */
  readonly isComplete: boolean;
  /** Whether it is a file's sender that is waited for, not the receiver. */
  readonly isWaitingForSource: boolean;
  /** Milliseconds that files' senders were waited for so far; a wait that goes on is not counted yet. */
  readonly waitedForSourceMs: number;
  /** What a file's stream failed with; null while none has. */
  readonly failure: { readonly error: unknown } | null;
  /** Ends it where it stands and destroys the open file. May be called at any time and more than once. */
  stop(): void;
}

/**
 * JSON parts first, then the files in the order they come, each read one after the other and no faster than the
 * receiver takes it. A file's failure fails the body before its closing boundary: the receiver never gets a cut
 * file that looks whole.
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
   * The next of a source; `stop` ends the wait, which a source that is silent never would. One promise and no
   * race: this runs for every chunk of a file, and what it leaves behind is what an upload costs in memory.
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
    // What it throws on the way out is nobody's concern any more.
    this.#files.return?.().catch(() => {});
  }
}

/** Without an error: a stream that nobody listens to any more would raise it for the whole process. */
function close(file: AsyncIterable<Uint8Array>, chunks: AsyncIterator<Uint8Array>): void {
  if ('destroy' in file && typeof file.destroy === 'function') file.destroy();
  else chunks.return?.().catch(() => {});
}

/** A name as the HTML standard writes it: UTF-8 as it is, and what would end the quotes or the line escaped. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
