import { realpathSync, statSync } from 'node:fs';
import module, { type ResolveHookContext } from 'node:module';
import { extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { GatewayConfigError } from '../config/read-config.ts';
import { checkTeamConfig, type TeamConfig } from '../gateway-config.ts';
import { inTime, messageOf, nodeCodeOf } from '../model/common.ts';

const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'];
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
  onTeamFile = report;
  const path = file === null ? findFile(directory) : resolve(directory, file);
  if (path === null) return null;
  if (!isFile(path))
    throw new GatewayConfigError(`${path} cannot be loaded: it does not exist or is not a file`);
  onTeamFile(path);
  const { href } = pathToFileURL(realpathSync(path)); // as in stacks and in imports
  resolveForTeam(href);
  let exported: unknown;
  try {
    const isJson = extname(path) === '.json';
    exported = defaultOf(
      await inTime(import(href, isJson ? { with: { type: 'json' } } : {}), limitMs, () => {
        throw new Error(`its top-level \`await\` takes longer than ${limitMs} ms`);
      }),
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
  for (const path of known) onTeamFile(path);
  const found = known.find(isFile);
  if (found !== undefined) return found;
  const other = pathsWith(otherExtensions).find(isFile);
  if (other === undefined) return null;
  throw new GatewayConfigError(`${other} cannot be read. The configuration file is ${fileNames}.`);
}

function defaultOf(imported: unknown): unknown {
  const { default: found } = imported as { readonly default?: unknown };
  if (typeof found !== 'object' || found === null || !('__esModule' in found)) return found;
  return (found as { readonly default?: unknown }).default;
}

const ownModules = new Map([
  ['dms-graphql-gateway', '../index'],
  ['dms-graphql-gateway/schema', '../schema/public'],
  ['dms-graphql-gateway/testing', '../testing/index'],
]);
const teamFiles = new Set<string>();
let onTeamFile = (_path: string): void => {};
let isResolving = false;

function addTeamFile(url: string): void {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return;
  teamFiles.add(url);
  onTeamFile(fileURLToPath(url));
}

/**
 * Lets a team import the package by its name in a clone of the project, where it is not installed, and always get the
 * modules of this process. The same applies to `graphql`, of which a process can use only one copy. Other packages that
 * its own folder does not have are those of the gateway, so that the folder can be anywhere.
 */
function resolveForTeam(entry: string): void {
  addTeamFile(entry);
  // Bun has no hooks. It needs none if the package is installed beside the file.
  if (isResolving || !('registerHooks' in module)) return;
  isResolving = true;
  module.registerHooks({
    resolve(specifier, context, nextResolve) {
      const path = ownModules.get(specifier);
      if (path !== undefined) {
        const url = new URL(`${path}${extname(import.meta.filename)}`, import.meta.url).href;
        return { url, shortCircuit: true };
      }
      const { parentURL = '' } = context;
      const isOfTeam = teamFiles.has(parentURL);
      // It can be created later.
      if (isOfTeam && specifier.startsWith('.')) addTeamFile(new URL(specifier, parentURL).href);
      const resolved = resolveIn(specifier, context, nextResolve);
      if (isOfTeam) addTeamFile(resolved.url);
      return resolved;
    },
  });
}

type NextResolve = Parameters<module.ResolveHookSync>[2];

function resolveIn(specifier: string, context: ResolveHookContext, nextResolve: NextResolve) {
  if (context.parentURL === import.meta.url) return nextResolve(specifier, context);
  if (/^graphql(?:\/|$)/.test(specifier)) return resolveHere(specifier, context, nextResolve);
  try {
    return nextResolve(specifier, context);
  } catch (error) {
    const isPackage = /^[@a-z][^:]*$/i.test(specifier);
    if (!isPackage || !String(nodeCodeOf(error)).endsWith('MODULE_NOT_FOUND')) throw error;
    try {
      return resolveHere(specifier, context, nextResolve);
    } catch {
      throw error;
    }
  }
}

const { resolve: resolveRequired } = module.createRequire(import.meta.url);

function resolveHere(specifier: string, context: ResolveHookContext, nextResolve: NextResolve) {
  // `require` ignores the parent of the context.
  if (context.conditions.includes('require')) {
    return { url: pathToFileURL(resolveRequired(specifier)).href, shortCircuit: true };
  }
  return nextResolve(specifier, { ...context, parentURL: import.meta.url });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
