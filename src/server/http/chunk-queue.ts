/** Chunks below this length are copied together: a Buffer costs some 200 bytes beside its content. */
const smallChunkBytes = 1024;
const blockBytes = 4096;

/**
 * Bytes in the order of their arrival, held at little more than their length however small the chunks are that
 * they came in. Chunks of 1 KiB and more are kept as they are; the first of a run of smaller ones too, so that one
 * that comes alone is not copied.
 */
export class ChunkQueue {
  readonly #chunks: Buffer[] = [];
  /** The last chunk, while small ones can still be added to it. */
  #block: Buffer | null = null;
  #blockUsed = 0;
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  /** How many buffers hold the bytes. */
  get chunkCount(): number {
    return this.#chunks.length + (this.#block === null ? 0 : 1);
  }

  push(chunk: Buffer): void {
    this.#byteLength += chunk.length;
    if (chunk.length >= smallChunkBytes) {
      this.#closeBlock();
      this.#chunks.push(chunk);
    } else if (this.#block === null && !this.#endsSmall()) this.#chunks.push(chunk);
    else this.#copy(chunk);
  }

  /** Takes out the oldest bytes; undefined if there are none. */
  shift(): Buffer | undefined {
    if (this.#chunks.length === 0) this.#closeBlock();
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) this.#byteLength -= chunk.length;
    return chunk;
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#block = null;
    this.#byteLength = 0;
  }

  #endsSmall(): boolean {
    const last = this.#chunks.at(-1);
    return last !== undefined && last.length < smallChunkBytes;
  }

  #copy(chunk: Buffer): void {
    if (this.#block !== null && this.#blockUsed + chunk.length > blockBytes) this.#closeBlock();
    this.#block ??= this.#openBlock();
    chunk.copy(this.#block, this.#blockUsed);
    this.#blockUsed += chunk.length;
  }

  #openBlock(): Buffer {
    const block = Buffer.allocUnsafeSlow(blockBytes);
    const before = this.#endsSmall() ? this.#chunks.pop() : undefined;
    before?.copy(block);
    this.#blockUsed = before?.length ?? 0;
    return block;
  }

  #closeBlock(): void {
    if (this.#block !== null) this.#chunks.push(this.#block.subarray(0, this.#blockUsed));
    this.#block = null;
  }
}
