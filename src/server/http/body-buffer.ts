/** The memory of a buffer grows in steps of this size, in bytes. */
const stepBytes = 64 * 1024;
/** Freeing a smaller chunk takes longer than its part of a garbage collection. */
const minFreedBytes = 4 * 1024;
const noBytes = Buffer.alloc(0);

/**
 * Collects bytes of a request body in memory pages of its own, which are returned to the system when they are released.
 * The memory of ordinary buffers stays with the allocator, in gaps between what other requests use. bench/NOTES.md
 *
 * A single chunk is kept as it is, so that most bodies are not copied.
 */
export class BodyBuffer {
  readonly #maxBytes: number;
  #bytes: Buffer | null = null;
  #length = 0;
  #isCopy = false;

  /** @param maxBytes maximum length, which the caller checks */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** All bytes. They change with the buffer. */
  get bytes(): Buffer {
    return this.#bytes?.subarray(0, this.#length) ?? noBytes;
  }

  /** Adds a chunk. Returns true if it is kept as it is. */
  add(chunk: Buffer): boolean {
    const isKept = this.#length === 0 && !this.#isCopy;
    const length = this.#length + chunk.length;
    if (isKept) this.#bytes = chunk;
    else {
      this.copy();
      const pages = this.#bytes!.buffer as ArrayBuffer;
      if (length > pages.byteLength) pages.resize(roundUp(length));
      this.#bytes!.set(chunk, this.#length);
    }
    this.#length = length;
    return isKept;
  }

  /** Copies the chunk that is kept as it is, if there is one, and all later ones. */
  copy(): void {
    if (this.#isCopy) return;
    const { bytes } = this;
    const pages = new ArrayBuffer(roundUp(bytes.length), {
      maxByteLength: roundUp(this.#maxBytes),
    });
    this.#isCopy = true;
    this.#bytes = Buffer.from(pages); // grows with the pages
    this.#bytes.set(bytes);
    freeChunk(bytes);
  }

  /** Returns all bytes, and is empty afterwards. */
  take(): Buffer {
    const { bytes } = this;
    this.#bytes = null;
    this.#length = 0;
    this.#isCopy = false;
    return bytes;
  }

  /** Is empty afterwards. Nobody can use the bytes any longer. */
  release(): void {
    const isCopy = this.#isCopy;
    const bytes = this.take();
    if (!isCopy) freeChunk(bytes);
    else if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transferToFixedLength(0);
  }
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / stepBytes) * stepBytes;
}

/**
 * Frees the memory of a chunk of a request body that nobody uses any longer. The garbage collection would free it much
 * later, and the gaps between what it leaves stay with the allocator.
 */
export function freeChunk(chunk: Buffer): void {
  const { buffer } = chunk;
  if (!(buffer instanceof ArrayBuffer) || chunk.length < minFreedBytes) return;
  const isOwn = buffer.resizable || chunk.length === buffer.byteLength; // the pages of a BodyBuffer are no one else's
  if (isOwn) buffer.transferToFixedLength(0);
}
