import { finished, type Readable } from 'node:stream';

/**
 * A stream chunk by chunk, no faster than it is read. Node's own iterator joins the buffered chunks into a new
 * buffer each time; this passes each chunk on as it arrived, so that no byte of an upload is copied on its way.
 *
 * Whoever stops early, by `return` or by a `check` that throws, leaves the rest to be read and thrown away.
 */
export class ChunkIterator implements AsyncIterator<Uint8Array, undefined> {
  readonly #open: () => Readable;
  readonly #check: (chunk: Uint8Array) => void;
  readonly #chunks: Uint8Array[] = [];
  #stream: Readable | null = null;
  /** How the stream ended: null well, undefined not yet. */
  #end: Error | null | undefined;
  #wake: (() => void) | null = null;
  #isAbandoned = false;

  /**
   * @param open is called with the first `next`; what it throws is what that `next` rejects with
   * @param check is called with every chunk before it is returned; what it throws ends the iteration
   */
  constructor(open: () => Readable, check: (chunk: Uint8Array) => void) {
    this.#open = open;
    this.#check = check;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    return new Promise((resolve, reject) => {
      const attempt = (): void => {
        try {
          const chunk = this.#take();
          if (chunk !== undefined) resolve({ value: chunk, done: false });
          else if (this.#end) reject(this.#end);
          else if (this.#end === null || this.#isAbandoned)
            resolve({ value: undefined, done: true });
          else this.#wake = attempt;
        } catch (error) {
          this.#abandon();
          reject(error);
        }
      };
      attempt();
    });
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#abandon();
    return Promise.resolve({ value: undefined, done: true });
  }

  #take(): Uint8Array | undefined {
    if (this.#isAbandoned) return undefined;
    const stream = (this.#stream ??= this.#openStream());
    // What a broken stream had gathered is not worth having: whoever reads it learns of the failure instead.
    const chunk = stream.errored ? undefined : this.#chunks.shift();
    if (chunk === undefined) stream.resume();
    else this.#check(chunk);
    return chunk;
  }

  #openStream(): Readable {
    const stream = this.#open();
    stream.on('data', (chunk: Uint8Array) => {
      if (this.#isAbandoned) return;
      stream.pause();
      this.#chunks.push(chunk);
      this.#wakeReader();
    });
    finished(stream, { writable: false }, (error) => {
      // A parser may raise an error of its own beside the one that the stream was destroyed with.
      this.#end = error ? (stream.errored ?? error) : null;
      this.#wakeReader();
    });
    return stream;
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  #abandon(): void {
    this.#isAbandoned = true;
    this.#chunks.length = 0;
    this.#stream?.resume();
    this.#wakeReader();
  }
}
