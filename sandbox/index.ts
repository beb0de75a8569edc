import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxOptions } from './options.ts';
import { withDefaults } from './options.ts';
import { mainAccount } from './seed/accounts.ts';
import { seedOnce } from './seed/index.ts';
import { createHttpServer } from './server.ts';
import { openBlobs } from './store/blobs.ts';
import { openDatabase } from './store/database.ts';
import { isFileKnown } from './store/files.ts';

export type { SandboxOptions } from './options.ts';

/** A running sandbox. */
export interface Sandbox {
  /** Base URL without a trailing slash, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The `Authorization` header of the seeded service account with all roles. */
  readonly authorization: string;
  /** Stops within about a second. Longer requests are aborted. All acknowledged writes are on disk. */
  close(): Promise<void>;
}

/**
 * Starts the reference document-management service with a data directory, which is seeded on the first start.
 * @throws if the port is in use, or the directory is used by another sandbox or was written by another version
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, port = 0, host = '127.0.0.1' } = options;
  mkdirSync(dataDir, { recursive: true });
  const db = openDatabase(join(dataDir, 'sandbox.sqlite'));
  try {
    const blobs = openBlobs(dataDir);
    seedOnce(db, blobs);
    blobs.sweep((fileId) => isFileKnown(db, fileId));

    const service = { db, blobs, variants: withDefaults(options.variants) };
    const server = createHttpServer(service, options.onRequest);
    const actualPort = await server.listen(port, host);
    const shownHost = host.includes(':') ? `[${host}]` : host;
    return {
      url: `http://${shownHost}:${actualPort}`,
      authorization: mainAccount.authorization,
      async close() {
        await server.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
