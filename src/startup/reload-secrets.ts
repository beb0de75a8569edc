import { ConfigError, type Config } from '../config/read-config.ts';
import { hasSecretFiles } from '../config/setting-sources.ts';
import { secretKeys, settings } from '../config/settings.ts';
import type { ChangedSecrets } from '../model/identity.ts';
import type { Log } from '../server/telemetry/log.ts';

/**
 * Reads the settings and their files again on SIGHUP, if there are files. Otherwise SIGHUP ends the process, as when its
 * terminal is closed. Invalid settings change nothing.
 *
 * @param read reads the settings. @throws {ConfigError} if they are invalid
 * @param apply replaces the secrets of the running gateway, and reads its certificates again
 */
export function reloadSecretsOnHangup(
  config: Config,
  log: Log,
  read: () => Config,
  apply: (changed: ChangedSecrets) => unknown,
): void {
  if (!isReloadable(config)) return;
  let current = config;
  const reload = async (): Promise<void> => {
    try {
      const next = read();
      const changed = secretKeys.filter((key) => next[key] !== current[key]);
      const valueOf = (key: keyof ChangedSecrets) => (changed.includes(key) ? next[key] : null);
      const secrets = {
        jwtSecret: valueOf('jwtSecret'),
        fileUrlSecret: valueOf('fileUrlSecret'),
        dmsClientKeyPassphrase: valueOf('dmsClientKeyPassphrase'),
      };
      await apply(secrets);
      const warnings = next.warnings.filter((warning) => !current.warnings.includes(warning));
      current = next;
      log.write('info', 'secrets reloaded', { changed: changed.map((key) => settings[key].name) });
      for (const warning of warnings) log.write('warn', warning);
      for (const key of changed) {
        if (!(key in secrets))
          log.write('warn', `${settings[key].name} has changed: restart to use it`);
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

/** Whether SIGHUP has something to read: secrets in files, or certificates. */
export function isReloadable({ dmsTls }: Config): boolean {
  return hasSecretFiles(process.env) || dmsTls !== null;
}
