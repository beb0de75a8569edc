import { randomBytes } from 'node:crypto';

/** Address and credential of a DMS. */
export interface DmsAddress {
  readonly url: string;
  /** Null for any other DMS than the embedded sandbox: the settings or the clients supply a credential. */
  readonly sandbox: EmbeddedSandbox | null;
}

interface EmbeddedSandbox {
  /** `Authorization` header that the sandbox accepts. */
  readonly authorization: string;
  /** Signs the tokens for its people. */
  readonly tokenSecret: string;
}

/** A DMS, which this process may have started. */
export interface ManagedDms extends DmsAddress {
  /** Description for the startup message. */
  readonly name: string;
  close(): Promise<void>;
}

/** Which DMS to use. */
export interface DmsOptions {
  /** Null selects the embedded sandbox. */
  readonly dmsUrl: string | null;
  /** Data directory of the sandbox. Null selects a temporary one, which `close` removes. */
  readonly dataDir: string | null;
}

/**
 * Returns the DMS at `dmsUrl`. If that is null, starts the embedded sandbox, whose modules are not loaded otherwise.
 *
 * @throws naming DATA_DIR if the sandbox cannot use its data directory
 */
export async function startDms({ dmsUrl, dataDir }: DmsOptions): Promise<ManagedDms> {
  if (dmsUrl !== null) {
    return { url: dmsUrl, sandbox: null, name: dmsUrl, async close() {} };
  }
  const { startSandbox, DataDirectoryError } = await import('../../sandbox/index.ts');
  const sandbox = await startSandbox(dataDir === null ? {} : { dataDir }).catch(
    (error: unknown) => {
      if (dataDir === null || !(error instanceof DataDirectoryError)) throw error;
      throw new Error(`DATA_DIR=${dataDir} cannot be used: ${error.reason}`, { cause: error });
    },
  );
  const { url, authorization } = sandbox;
  const name = `the embedded sandbox (${url}, data in ${sandbox.dataDir})`;
  const tokenSecret = randomBytes(32).toString('base64url');
  return { url, sandbox: { authorization, tokenSecret }, name, close: () => sandbox.close() };
}
