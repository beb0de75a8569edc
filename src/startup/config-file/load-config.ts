import { realpathSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { GatewayConfigError } from '../../config/read-config.ts';
import { checkTeamConfig, type TeamConfig } from '../../gateway-config.ts';
import { messageOf } from '../../model/common.ts';
import {
  dependOn,
  extensions,
  isFile,
  reportFiles,
  resolveForTeam,
  teamFiles,
} from './team-files.ts';

/** Of configuration files of other programs, which the gateway cannot read. */
const otherExtensions = ['.tsx', '.jsx', '.json5', '.jsonc', '.yaml', '.yml', '.toml'];
const fileNames = `gateway.config${extensions.slice(0, -1).join(', ')} or .json`;

const loadLimitMs = 30_000;

export interface LoadedConfig {
  readonly path: string;
  readonly config: TeamConfig;
  locate(error: unknown): string;
}

export async function loadConfig(
  file: string | null,
  directory: string,
  report: (path: string) => void,
  limitMs = loadLimitMs,
): Promise<LoadedConfig | null> {
  reportFiles(report);
  const path = file === null ? findFile(directory) : resolve(directory, file);
  if (path === null) return null;
  if (!isFile(path))
    throw new GatewayConfigError(`${path} cannot be loaded: it does not exist or is not a file`);
  dependOn(path);
  const { href } = pathToFileURL(realpathSync(path)); // as in stacks and in imports
  resolveForTeam(href);
  let exported: unknown;
  try {
    const isJson = extname(path) === '.json';
    exported = defaultOf(
      await inTime(import(href, isJson ? { with: { type: 'json' } } : {}), limitMs),
    );
  } catch (cause) {
    throw new GatewayConfigError(`${path} cannot be loaded: ${messageOf(cause)}`, { cause });
  }
  if (exported === undefined) {
    throw new GatewayConfigError(
      `${path} has no default export. Write \`export default defineGateway({ … })\`.`,
    );
  }
  const locate = (error: unknown): string =>
    [`Configuration file: ${path}`, placeIn(error) ?? []].flat().join('\n');
  return { path, config: checkTeamConfig(exported, path), locate };
}

function placeIn(error: unknown): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const names = [...teamFiles].flatMap((url) => [url, fileURLToPath(url)]);
  return stack.split('\n').find((line) => names.some((name) => line.includes(name))) ?? null;
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

function defaultOf(imported: unknown): unknown {
  const { default: found } = imported as { readonly default?: unknown };
  if (typeof found !== 'object' || found === null || !('__esModule' in found)) return found;
  return (found as { readonly default?: unknown }).default;
}
