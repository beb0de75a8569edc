/// <reference lib="esnext.disposable" preserve="true" />
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SandboxOptions } from './options.ts';
import { checkOptions, withDefaults } from './options.ts';
import { mainAccount } from './seed/accounts.ts';
import { activeForms } from './reference/forms.ts';
import { seedOnce } from './seed/index.ts';
import { createHttpServer } from './server.ts';
import type { Service } from './service.ts';
import { openBlobs } from './store/blobs.ts';
import { openDatabase, type Database } from './store/database.ts';
import { isFileKnown } from './store/files.ts';

export type { SandboxOptions, SandboxVariants } from './options.ts';

/** A running sandbox. `await using` closes it at the end of the block. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The `Authorization` header of the seeded service account with all roles. */
  readonly authorization: string;
  /** Its active forms, as `sysForm` lists them. */
  readonly forms: readonly Readonly<Record<string, unknown>>[];
  /** The data directory. */
  readonly dataDir: string;
  /**
   * Stops within about a second. Longer requests are aborted. All acknowledged writes are on disk; a temporary data
   * directory is removed. Further calls wait for the first one.
   */
  close(): Promise<void>;
}

const sqliteBusy = 5; // SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy

/** The data directory cannot be used. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
  /** Why, as the operating system or the database says it. */
  readonly reason: string;

  constructor(dataDir: string, cause: unknown) {
    const message = cause instanceof Error ? cause.message : 'unknown';
    const isLocked = cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy;
    const reason = isLocked ? `another process uses it (${message})` : message;
    super(`The data directory ${dataDir} cannot be used: ${reason}`, { cause });
    this.reason = reason;
  }
}

/**
 * Starts the reference document-management service, by default on a free port of 127.0.0.1 with a temporary data
 * directory. A new directory is seeded, always with the same data.
 *
 * @throws {TypeError} naming every invalid option
 * @throws {DataDirectoryError} if the directory cannot be written, is used by another sandbox or was written by another
 * version
 * @throws if the port is in use; nothing remains open
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
      forms: activeForms(storage.db),
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

/** Opens the data directory, and seeds a new one. @throws {DataDirectoryError} */
function openStorage(dataDir: string): Storage {
  let db: Database | undefined;
  try {
    createDirectory(dataDir);
    const opened = openDatabase(join(dataDir, 'sandbox.sqlite'));
    db = opened;
    const blobs = openBlobs(dataDir);
    seedOnce(opened, blobs);
    blobs.sweep((fileId) => isFileKnown(opened, fileId));
    return { db: opened, blobs };
  } catch (error) {
    db?.close();
    throw new DataDirectoryError(dataDir, error);
  }
}

/**
 * Creates a directory and those above it. With the option `recursive`, Node would never return below /proc, where Linux
 * answers ENOENT although the parent exists.
 */
function createDirectory(path: string): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) createDirectory(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    if (!isDirectory(path)) throw error; // otherwise another process has created it meanwhile
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
