const minCapacity = 4 * 1024;
const maxTrusted = 1024 * 1024;
const noBytes = Buffer.alloc(0);

/**
 * Collects a body that arrives in chunks. It uses at most about three times the length of the body, however small the
 * chunks are. A list of one-byte chunks would use a hundred times.
 *
 * A single chunk is returned without a copy.
 */
export class ByteBuffer {
  #bytes: Buffer | null = null;
  #isOwn = false;
  #length = 0;
  readonly #expected: number;

  constructor(expected = 0) {
    this.#expected = Number.isFinite(expected) ? Math.min(expected, maxTrusted) : 0;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a chunk. The caller must not modify it afterwards. Empty chunks are ignored. */
  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    const length = this.#length + chunk.length;
    if (this.#bytes === null) this.#bytes = chunk;
    else this.#ownWith(length, this.#bytes).set(chunk, this.#length);
    this.#length = length;
  }

  take(): Buffer {
    if (this.#bytes === null) return noBytes;
    return this.#isOwn ? this.#bytes.subarray(0, this.#length) : this.#bytes;
  }

  #ownWith(length: number, bytes: Buffer): Buffer {
    if (this.#isOwn && bytes.length >= length) return bytes;
    const capacity = Math.max(length, 2 * this.#length, this.#expected, minCapacity);
    // allocUnsafeSlow does not take a slice of Node's shared pool, which would stay in memory as long as this buffer.
    const own = Buffer.allocUnsafeSlow(capacity);
    own.set(bytes.subarray(0, this.#length));
    // Left to the garbage collection, the memory would stay until there are other requests.
    if (this.#isOwn && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
    this.#bytes = own;
    this.#isOwn = true;
    return own;
  }
}
