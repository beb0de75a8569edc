/// <reference lib="esnext.disposable" preserve="true" />
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from './options.ts';
import { checkOptions, withDefaults } from './options.ts';
import { mainAccount } from './seed/accounts.ts';
import { seedOnce } from './seed/index.ts';
import { createHttpServer } from './server.ts';
import type { Service } from './service.ts';
import { openBlobs } from './store/blobs.ts';
import { openDatabase, type Database } from './store/database.ts';
import { isFileKnown } from './store/files.ts';

export type { SandboxOptions } from './options.ts';

/** A running sandbox. `await using` closes it at the end of the block. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The `Authorization` header of the seeded service account with all roles. */
  readonly authorization: string;
  /** The data directory. */
  readonly dataDir: string;
  /**
   * Stops within about a second. Longer requests are aborted. All acknowledged writes are on disk; a temporary data
   * directory is removed. Further calls wait for the first one.
   */
  close(): Promise<void>;
}

/**
 * Starts the reference document-management service, by default on a free port of 127.0.0.1 with a temporary data
 * directory. A new directory is seeded, always with the same data.
 *
 * @throws {TypeError} naming every invalid option
 * @throws if the port is in use, or the directory cannot be written, is used by another sandbox or was written by another
 * version; nothing remains open
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
  const { port = 0, host = '127.0.0.1' } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'dms-sandbox-'));
  let storage: Storage | undefined;
  const closeStorage = (): void => {
    storage?.db.close();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    storage = openStorage(dataDir);
    const service = { ...storage, variants: withDefaults(options.variants) };
    const server = createHttpServer(service, options.onRequest);
    const actualPort = await server.listen(port, host);
    const shownHost = host.includes(':') ? `[${host}]` : host;
    const stop = async (): Promise<void> => {
      await server.close();
      closeStorage();
    };
    let stopped: Promise<void> | undefined;
    const close = (): Promise<void> => (stopped ??= stop());
    return {
      url: `http://${shownHost}:${actualPort}`,
      authorization: mainAccount.authorization,
      dataDir,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    closeStorage();
    throw error;
  }
}

type Storage = Pick<Service, 'db' | 'blobs'>;

/** Opens the data directory, and seeds a new one. @throws with its path if it cannot be used */
function openStorage(dataDir: string): Storage {
  let db: Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true });
    const opened = openDatabase(join(dataDir, 'sandbox.sqlite'));
    db = opened;
    const blobs = openBlobs(dataDir);
    seedOnce(opened, blobs);
    blobs.sweep((fileId) => isFileKnown(opened, fileId));
    return { db: opened, blobs };
  } catch (error) {
    db?.close();
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new Error(`The data directory ${dataDir} cannot be used: ${reason}`, { cause: error });
  }
}
