import { Transform, type TransformCallback } from 'node:stream';
import { constants, createZstdDecompress, type ZstdDecompress } from 'node:zlib';

/** The largest window that a response can require, as a power of two: 8 MiB (RFC 9659, section 3). */
const options = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** A frame with fewer decoded bytes is small: it can cost more time than bytes of the response. */
const smallBytes = 1024;
const maxSmallFrames = 1000;

/** Decodes a sequence of frames (RFC 8878, section 3.1). Node's decoder ends after the first one. */
export class ZstdFrames extends Transform {
  #frame: ZstdDecompress | null = null;
  /** Bytes that the current frame was decoded to. */
  #decoded = 0;
  #smallFrames = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#frame ??= this.#open();
    const frame = this.#frame;
    const before = frame.bytesWritten;
    const next = (): void => {
      this.#frame = null;
      frame.destroy();
      if (this.#decoded < smallBytes) this.#smallFrames++;
      if (this.#smallFrames > maxSmallFrames) done(new Error('zstd: too many small frames'));
      else this._transform(chunk.subarray(frame.bytesWritten - before), _encoding, done);
    };
    frame.once('end', next);
    frame.write(chunk, (error) => {
      // The frame has ended within the chunk: `next` continues when its bytes have been read.
      const hasEnded = error == null && frame.bytesWritten - before < chunk.length;
      if (this.#frame !== frame || hasEnded) return;
      frame.off('end', next);
      done(error);
    });
  }

  override _flush(done: TransformCallback): void {
    if (this.#frame === null) done();
    else this.#frame.once('end', done).end();
  }

  override _read(size: number): void {
    this.#frame?.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#frame?.destroy();
    done(error);
  }

  #open(): ZstdDecompress {
    this.#decoded = 0;
    const frame = createZstdDecompress(options);
    frame.on('data', (chunk: Buffer) => {
      this.#decoded += chunk.length;
      if (!this.push(chunk)) frame.pause();
    });
    return frame.on('error', (error) => this.destroy(error));
  }
}
