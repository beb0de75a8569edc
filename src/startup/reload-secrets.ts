import type { Setting } from '../config/setting-parsers.ts';
import { ConfigError } from '../config/read-config.ts';
import { hasSecretFiles } from '../config/setting-sources.ts';
import { settings as settingsTable, type Settings } from '../features/settings.ts';
import type { ChangedSecrets } from '../model/identity.ts';
import type { Log } from '../server/telemetry/log.ts';

const secrets = Object.entries<Setting<unknown>>(settingsTable).filter(
  ([, { isSecret }]) => isSecret,
);
const replaceable = ['jwtSecret', 'fileUrlSecret', 'dmsClientKeyPassphrase'] as const;

export function reloadSecretsOnHangup(
  settings: Settings,
  log: Log,
  read: () => Settings,
  apply: (changed: ChangedSecrets) => unknown,
): void {
  if (!isReloadable(settings)) return;
  let current = settings;
  const reload = async (): Promise<void> => {
    try {
      const next = read();
      const [before, after] = [new Map(Object.entries(current)), new Map(Object.entries(next))];
      const changed = secrets.filter(([key]) => after.get(key) !== before.get(key));
      const valueOf = (key: keyof ChangedSecrets) =>
        next[key] === current[key] ? null : next[key];
      await apply({
        jwtSecret: valueOf('jwtSecret'),
        fileUrlSecret: valueOf('fileUrlSecret'),
        dmsClientKeyPassphrase: valueOf('dmsClientKeyPassphrase'),
      });
      const warnings = next.warnings.filter((warning) => !current.warnings.includes(warning));
      current = next;
      log.write('info', 'secrets reloaded', { changed: changed.map(([, { name }]) => name) });
      for (const warning of warnings) log.write('warn', warning);
      for (const [key, { name }] of changed) {
        if (!replaceable.some((one) => one === key))
          log.write('warn', `${name} has changed: restart to use it`);
      }
    } catch (error) {
      const reason = error instanceof ConfigError ? error.message : 'they could not be applied';
      log.write('error', 'secrets not reloaded', { reason });
    }
  };
  let reloading = Promise.resolve();
  process.on('SIGHUP', () => {
    reloading = reloading.then(reload); // one after the other: each compares with what is in use
  });
}

export function isReloadable({ tlsSettings }: Settings): boolean {
  return (
    hasSecretFiles(process.env, settingsTable) ||
    Object.values(tlsSettings).some((files) => files !== null)
  );
}
