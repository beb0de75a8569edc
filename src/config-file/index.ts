import { realpathSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkGatewayConfig, GatewayConfigError, type GatewayConfig } from '../gateway-config.ts';
import { placeIn, reasonOf } from './import-error.ts';
import { dependOn, extensions, isFile, resolveForTeam } from './team-files.ts';

/** A configuration file that has been loaded. */
export interface LoadedConfig {
  readonly path: string;
  readonly config: GatewayConfig;
  /** Names the file for an error that it may have caused, with the place where the error was thrown, if it is known. */
  locate(error: unknown): string;
}

/** Of configuration files of other programs, which the gateway cannot read. */
const otherExtensions = ['.tsx', '.jsx', '.json5', '.jsonc', '.yaml', '.yml', '.toml'];
/** The default names of the configuration file, for messages. */
export const configFileNames = `gateway.config${extensions.slice(0, -1).join(', ')} or .json`;

const loadLimitMs = 30_000;

/**
 * Loads the configuration file. Node removes its types. Null if no file is given and the directory has none.
 *
 * @param file path relative to `directory`; null for `gateway.config.ts` or another of `configFileNames` in the directory
 * @param limitMs how long its top-level `await` can take
 * @throws {GatewayConfigError} naming the file and the reason
 */
export async function loadGatewayConfig(
  file: string | null,
  directory: string,
  limitMs = loadLimitMs,
): Promise<LoadedConfig | null> {
  const path = file === null ? findFile(directory) : resolve(directory, file);
  if (path === null) return null;
  if (!isFile(path))
    throw new GatewayConfigError(`${path} cannot be loaded: it does not exist or is not a file`);
  dependOn(path);
  const target = realpathSync(path); // as in stacks and in imports
  const { href } = pathToFileURL(target);
  resolveForTeam(href);
  let exported: unknown;
  try {
    const isJson = extname(path) === '.json';
    exported = defaultOf(
      await inTime(import(href, isJson ? { with: { type: 'json' } } : {}), limitMs),
    );
  } catch (error) {
    throw new GatewayConfigError(`${path} cannot be loaded: ${reasonOf(error, target)}`, {
      cause: error,
    });
  }
  if (exported === undefined) {
    throw new GatewayConfigError(
      `${path} has no default export. Write \`export default defineGateway({ … })\`.`,
    );
  }
  const config = withPaths(checkGatewayConfig(exported, path), dirname(path));
  if (config.forms !== undefined) dependOn(config.forms.file);
  const locate = (error: unknown): string => {
    const place = error instanceof Error ? placeIn(error.stack ?? '', target) : null;
    return `Configuration file: ${path}${place === null ? '' : ` (${place})`}`;
  };
  return { path, config, locate };
}

/** @throws {GatewayConfigError} if there is only a file of another type, which would be ignored otherwise */
function findFile(directory: string): string | null {
  const pathsWith = (endings: readonly string[]): string[] =>
    endings.map((ending) => resolve(directory, `gateway.config${ending}`));
  const known = pathsWith(extensions);
  for (const path of known) dependOn(path);
  const found = known.find(isFile);
  if (found !== undefined) return found;
  const other = pathsWith(otherExtensions).find(isFile);
  if (other === undefined) return null;
  throw new GatewayConfigError(
    `${other} cannot be read. The configuration file is ${configFileNames}.`,
  );
}

async function inTime(importing: Promise<unknown>, limitMs: number): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  // The timer also keeps the process running, which would end without a reason while nothing else does.
  const timer = setTimeout(() => {
    late.reject(new Error(`its top-level \`await\` takes longer than ${limitMs} ms`));
  }, limitMs);
  try {
    return await Promise.race([importing, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The default export. That of a file that was compiled to CommonJS is a property of the one that Node finds. */
function defaultOf(imported: unknown): unknown {
  const { default: found } = imported as { readonly default?: unknown };
  if (typeof found !== 'object' || found === null || !('__esModule' in found)) return found;
  return (found as { readonly default?: unknown }).default;
}

/** The configuration with absolute paths. */
function withPaths(config: GatewayConfig, directory: string): GatewayConfig {
  const { forms } = config;
  if (forms === undefined) return config;
  return { ...config, forms: { ...forms, file: resolve(directory, forms.file) } };
}
