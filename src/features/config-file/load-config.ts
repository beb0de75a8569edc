import { realpathSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GatewayConfigError } from '../../config/read-config.ts';
import type { ConfigLoader, LoadedConfig } from '../../server/feature.ts';
import { placeIn, reasonOf } from './import-error.ts';
import { dependOn, extensions, isFile, reportFiles, resolveForTeam } from './team-files.ts';

/** Of configuration files of other programs, which the gateway cannot read. */
const otherExtensions = ['.tsx', '.jsx', '.json5', '.jsonc', '.yaml', '.yml', '.toml'];
const fileNames = `gateway.config${extensions.slice(0, -1).join(', ')} or .json`;

const loadLimitMs = 30_000;

/**
 * Loads the configuration file. Node removes its types.
 *
 * @param limitMs how long its top-level `await` can take
 * @see ConfigLoader.load
 */
export async function loadConfig(
  ...[file, directory, report, limitMs = loadLimitMs]: [
    ...Parameters<ConfigLoader['load']>,
    limitMs?: number,
  ]
): Promise<LoadedConfig | null> {
  reportFiles(report);
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
  const locate = (error: unknown): string => {
    const place = error instanceof Error ? placeIn(error.stack ?? '', target) : null;
    return `Configuration file: ${path}${place === null ? '' : ` (${place})`}`;
  };
  return { path, exported, locate };
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
  throw new GatewayConfigError(`${other} cannot be read. The configuration file is ${fileNames}.`);
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
