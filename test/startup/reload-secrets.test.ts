import { expect, it, onTestFinished, vi } from 'vitest';
import type { Settings } from '../../src/features/settings.ts';
import type { ChangedSecrets } from '../../src/model/identity.ts';
import type { Log } from '../../src/server/telemetry/log.ts';
import { reloadSecretsOnHangup } from '../../src/startup/reload-secrets.ts';

const configWith = (fileUrlSecret: string) =>
  ({ fileUrlSecret, warnings: [] }) as never as Settings;

it('replaces a secret once if a signal arrives while it is replaced', async () => {
  vi.stubEnv('FILE_URL_SECRET_FILE', '/run/secrets/links');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    process.removeAllListeners('SIGHUP');
  });
  const write = vi.fn<Log['write']>();
  const replaced = Promise.withResolvers<void>();
  const apply = vi.fn<(changed: ChangedSecrets) => unknown>().mockReturnValueOnce(replaced.promise);
  const log = { write } as never as Log;
  reloadSecretsOnHangup(configWith('old'), log, () => configWith('new'), apply);
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  replaced.resolve();
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(2));
  // A second time, the secret would replace itself as the previous one.
  expect(apply.mock.calls.map(([{ fileUrlSecret }]) => fileUrlSecret)).toEqual(['new', null]);
});
