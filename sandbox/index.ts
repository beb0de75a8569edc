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
  /** The `Authorization` header of the seeded service account that may do everything. */
  readonly authorization: string;
  /** Ends within about a second; requests that take longer are cut. What was answered is on disk. */
  close(): Promise<void>;
}

/**
 * Starts the reference document-management service on a folder, seeding it on the first start.
 * @throws when the port is taken, or the folder is used by another sandbox or was written by another version.
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
