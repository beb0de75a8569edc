const minCapacity = 4 * 1024;
const maxTrusted = 1024 * 1024;
const noBytes = Buffer.alloc(0);

/**
 * Collects a body that arrives in chunks. It takes at most about three times the body's length in memory, however small
 * the chunks are; a list of one-byte chunks takes a hundred times.
 *
 * A single chunk is given back as it came, without a copy.
 */
export class ByteBuffer {
  #bytes: Buffer | null = null;
  #isOwn = false;
  #length = 0;
  readonly #expected: number;

  /** @param expected length that was announced, in bytes; 0 where none was. It saves copies, up to 1 MiB of it. */
  constructor(expected = 0) {
    this.#expected = Number.isFinite(expected) ? Math.min(expected, maxTrusted) : 0;
  }

  /** Bytes that were added. */
  get length(): number {
    return this.#length;
  }

  /** Adds a chunk, which must not be changed afterwards. Empty ones are ignored. */
  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    const length = this.#length + chunk.length;
    if (this.#bytes === null) this.#bytes = chunk;
    else this.#ownWith(length, this.#bytes).set(chunk, this.#length);
    this.#length = length;
  }

  /** Everything that was added. Nothing may be added afterwards. */
  take(): Buffer {
    if (this.#bytes === null) return noBytes;
    return this.#isOwn ? this.#bytes.subarray(0, this.#length) : this.#bytes;
  }

  /** A buffer of our own with a capacity of `length` bytes that begins with what is there. */
  #ownWith(length: number, bytes: Buffer): Buffer {
    if (this.#isOwn && bytes.length >= length) return bytes;
    const capacity = Math.max(length, 2 * this.#length, this.#expected, minCapacity);
    // Slow: its memory is not a slice of a pool that others keep alive.
    const own = Buffer.allocUnsafeSlow(capacity);
    own.set(bytes.subarray(0, this.#length));
    this.#bytes = own;
    this.#isOwn = true;
    return own;
  }
}
