import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import { nodeCodeOf } from '../model/common.ts';

export interface DmsAddress {
  readonly url: string;
  readonly sandbox: EmbeddedSandbox | null;
}

interface EmbeddedSandbox {
  readonly authorization: string;
  readonly tokenSecret: string;
  readonly forms: readonly unknown[];
}

export interface ManagedDms extends DmsAddress {
  readonly name: string;
  close(): Promise<void>;
}

export interface DmsOptions {
  readonly dmsUrl: string | null;
  readonly dataDir: string | null;
}

/**
 * Returns the DMS at `dmsUrl`. If that is null, starts the embedded sandbox, whose modules are not loaded otherwise.
 */
export async function startDms({ dmsUrl, dataDir }: DmsOptions): Promise<ManagedDms> {
  if (dmsUrl !== null) {
    return { url: dmsUrl, sandbox: null, name: dmsUrl, async close() {} };
  }
  const { startSandbox: start, DataDirectoryError } = await loadSandbox();
  const sandbox = await start(dataDir === null ? {} : { dataDir }).catch((error: unknown) => {
    if (dataDir === null || !(error instanceof DataDirectoryError)) throw error;
    throw new Error(`DATA_DIR=${dataDir} cannot be used: ${error.reason}`, { cause: error });
  });
  const { url, authorization, forms } = sandbox;
  const name = `the embedded sandbox (${url}, data in ${sandbox.dataDir})`;
  const tokenSecret = randomBytes(32).toString('base64url');
  return {
    url,
    sandbox: { authorization, tokenSecret, forms },
    name,
    close: () => sandbox.close(),
  };
}

/**
 * Starts the sandbox, a document-management service, by default on a free port of 127.0.0.1 with a temporary data
 * directory. A new directory is seeded, always with the same data.
 *
 * @throws {TypeError} naming every invalid option
 * @throws if the package pdfkit is not installed, the data directory cannot be used, or the port is in use;
 * nothing remains open
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await loadSandbox();
  return sandbox.startSandbox(options);
}

/** Imports the sandbox. A production installation does not contain pdfkit. */
async function loadSandbox() {
  try {
    const { resolve } = createRequire(import.meta.url);
    resolve('pdfkit'); // it is loaded when the first PDF is rendered
    return await import('../../sandbox/index.ts');
  } catch (cause) {
    if (nodeCodeOf(cause) !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error(
      'The sandbox needs the package pdfkit, which is not installed. Set DMS_URL to use a DMS.',
      { cause },
    );
  }
}
