import type { Settings } from '../config/read-config.ts';
import { features } from '../features/index.ts';
import type { CommandDms } from '../server/command.ts';
import type { Feature } from '../server/feature.ts';
import { startDms } from './managed-dms.ts';
import { certificatesOf, openTlsFiles } from './serve.ts';

/**
 * Opens the DMS of the settings, or a newly seeded sandbox, for a command.
 *
 * @throws {Error} naming a certificate or key that cannot be used
 */
export async function openCommandDms(settings: Settings): Promise<CommandDms> {
  const tls = await openTlsFiles(settings.tlsSettings, { write() {} }); // a failed request has the reason
  const { url, sandbox, close } = await startDms({ dmsUrl: settings.dmsUrl, dataDir: null });
  return {
    dmsUrl: url,
    sandbox,
    tls,
    certificates: certificatesOf(tls),
    async *checkServices() {
      for (const feature of features as readonly Feature[])
        yield* feature.check?.(settings, { tls }) ?? [];
    },
    [Symbol.asyncDispose]: close,
  };
}
