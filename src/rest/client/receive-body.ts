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

  /**
   * @param expected announced length in bytes, 0 if unknown; up to 1 MiB of it is allocated at once, which saves copies
   */
  constructor(expected = 0) {
    this.#expected = Number.isFinite(expected) ? Math.min(expected, maxTrusted) : 0;
  }

  /** Number of bytes added so far. */
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

  /** Returns all bytes. Nothing can be added afterwards. */
  take(): Buffer {
    if (this.#bytes === null) return noBytes;
    return this.#isOwn ? this.#bytes.subarray(0, this.#length) : this.#bytes;
  }

  /** Returns an own buffer with a capacity of at least `length` bytes that starts with the current content. */
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

interface Arrival {
  readonly callback: () => void;
  readonly weight: number;
}

/** Arrivals with this weight run in a row, before the time is checked. Smaller groups cost a tenth of W1. bench/NOTES.md */
const maxGroupWeight = 512 * 1024;
/** The weight after a group that took longer than `longGroupMs` milliseconds. */
const minGroupWeight = 128 * 1024;
const longGroupMs = 10;
/** Groups start within this time in one iteration of the event loop, in milliseconds. */
const maxBatchMs = 25;

const waiting: Arrival[] = [];
let groupWeight = maxGroupWeight;

/**
 * Calls `callback` in the next `setImmediate` phase, together with all other callbacks of the same iteration of the
 * event loop. It must not throw.
 *
 * Node emits each network chunk separately, and runs everything that follows from it before the next chunk: from the
 * response of the DMS through resolvers to the response of the gateway. That is more code than fits into a processor's
 * caches, so under load each request would evict the code of the next. With a batch, the promises of all chunks settle
 * together, and each step runs for all of them in a row. bench/NOTES.md has the figures. A single request is not
 * delayed, because `setImmediate` runs as soon as no input is left.
 *
 * What takes long in total is distributed over several iterations, so that hundreds of expensive requests at the same
 * time do not delay a health check.
 *
 * @param weight the size of the arrival in bytes, as an estimate of the time that it takes
 */
export function runInImmediateBatch(callback: () => void, weight: number): void {
  if (waiting.push({ callback, weight }) === 1) setImmediate(runBatch);
}

function runBatch(): void {
  const endAt = performance.now() + maxBatchMs;
  const runGroup = (): void => {
    const startedAt = performance.now();
    if (startedAt > endAt) {
      setImmediate(runBatch);
      return;
    }
    const group = takeGroup();
    const hasMore = waiting.length > 0;
    for (const { callback } of group) callback();
    if (!hasMore) return;
    const groupEnded = (): void => {
      const isLong = performance.now() - startedAt > longGroupMs;
      groupWeight = isLong ? minGroupWeight : maxGroupWeight;
      runGroup();
    };
    // A tick that a microtask adds runs after all microtasks: those of this group have ended.
    queueMicrotask(() => process.nextTick(groupEnded));
  };
  runGroup();
}

function takeGroup(): Arrival[] {
  let weight = 0;
  const end = waiting.findIndex((arrival) => (weight += arrival.weight) >= groupWeight);
  return waiting.splice(0, end === -1 ? waiting.length : end + 1);
}
