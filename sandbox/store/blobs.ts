import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createWriteStream, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFullId } from '../ids.ts';

/** A completely received file under a temporary name, which no row refers to yet. */
export interface Received {
  readonly tempPath: string;
  readonly size: number;
  readonly sha256: string;
}

/** File contents on disk by file ID. Rows refer to them. A content without a row is a leftover. */
export interface Blobs {
  pathOf(fileId: string): string;
  /**
   * Streams to a temporary file and flushes it. Memory use does not depend on its size.
   * @throws the error of the source or the disk; the temporary file is then removed
   */
  receive(source: Readable, signal?: AbortSignal): Promise<Received>;
  /**
   * Writes a small content under its final name. It is not flushed: the seed can be created again, and flushing
   * hundreds of files would take most of a first start.
   */
  write(fileId: string, content: Uint8Array): void;
  /** Renames received files to their IDs. Synchronous, so that the commit follows at once. */
  keep(files: readonly { readonly fileId: string; readonly received: Received }[]): void;
  discard(received: Received): void;
  remove(fileId: string): void;
  /**
   * Removes leftovers of a crash: incomplete uploads and contents without a row. Everything with another name is kept:
   * the data directory may have had folders of these names before.
   */
  sweep(isKnown: (fileId: string) => boolean): void;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function openBlobs(dataDir: string): Blobs {
  const kept = join(dataDir, 'files');
  const incoming = join(dataDir, 'incoming');
  mkdirSync(kept, { recursive: true });
  mkdirSync(incoming, { recursive: true });

  const pathOf = (fileId: string) => join(kept, fileId);

  /** Flushes the directory, which makes the renaming durable. */
  function flush(): void {
    const folder = openSync(kept, 'r');
    try {
      fsyncSync(folder);
    } catch (error) {
      // Windows cannot flush a directory.
      if (process.platform !== 'win32') throw error;
    } finally {
      closeSync(folder);
    }
  }

  async function receive(source: Readable, signal?: AbortSignal): Promise<Received> {
    const tempPath = join(incoming, randomUUID());
    const hash = createHash('sha256');
    let size = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    try {
      const sink = createWriteStream(tempPath, { flags: 'wx', flush: true });
      await pipeline(source, meter, sink, signal === undefined ? {} : { signal });
    } catch (error) {
      rmSync(tempPath, { force: true });
      throw error;
    }
    return { tempPath, size, sha256: hash.digest('hex') };
  }

  return {
    pathOf,
    receive,
    write: (fileId, content) => writeFileSync(pathOf(fileId), content),
    keep(files) {
      for (const { fileId, received } of files) renameSync(received.tempPath, pathOf(fileId));
      if (files.length > 0) flush();
    },
    discard: (received) => rmSync(received.tempPath, { force: true }),
    remove: (fileId) => rmSync(pathOf(fileId), { force: true }),
    sweep(isKnown) {
      for (const name of readdirSync(incoming)) {
        if (uuid.test(name)) rmSync(join(incoming, name), { force: true });
      }
      for (const name of readdirSync(kept)) {
        if (isFullId(name) && !isKnown(name)) rmSync(join(kept, name), { force: true });
      }
    },
  };
}
