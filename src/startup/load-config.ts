import { dirname, resolve } from 'node:path';
import { features } from '../features/index.ts';
import { checkGatewayConfig, type GatewayConfig } from '../gateway-config.ts';
import type { ConfigLoader, Feature, LoadedConfig } from '../server/feature.ts';

/** The configuration of a process, from a file. */
export interface CheckedConfig extends LoadedConfig {
  readonly config: GatewayConfig;
}

/** How a file is loaded. Null: it cannot be. */
export const configLoader: ConfigLoader | null =
  (features as readonly Feature[]).find((one) => one.configLoader)?.configLoader ?? null;

/**
 * Loads and checks the configuration of a process.
 *
 * @see ConfigLoader.load
 */
export async function loadGatewayConfig(
  ...[file, directory, dependOn]: Parameters<ConfigLoader['load']>
): Promise<CheckedConfig | null> {
  const loaded = (await configLoader?.load(file, directory, dependOn)) ?? null;
  if (loaded === null) return null;
  const config = checkGatewayConfig(loaded.exported, loaded.path);
  const { forms } = config;
  if (forms === undefined) return { ...loaded, config };
  const formsFile = resolve(dirname(loaded.path), forms.file);
  dependOn(formsFile);
  return { ...loaded, config: { ...config, forms: { ...forms, file: formsFile } } };
}
