import type { Settings } from '../config/read-config.ts';
import { features } from '../features/index.ts';
import type { CommandDms } from '../server/command.ts';
import type { Feature } from '../server/feature.ts';
import { startDms } from './managed-dms.ts';
import { certificatesOf, openTlsFiles } from './serve.ts';

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
