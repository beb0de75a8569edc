import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import module, { type ResolveHookContext } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkGatewayConfig, GatewayConfigError, type GatewayConfig } from './gateway-config.ts';
import { messageOf, nodeCodeOf } from './model/common.ts';

/** A configuration file that has been loaded. */
export interface LoadedConfig {
  readonly path: string;
  readonly config: GatewayConfig;
  /** Names the file for an error that it may have caused, with the place where the error was thrown, if it is known. */
  locate(error: unknown): string;
}

/** Of the configuration file, and of the files that it imports. */
const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'];
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
  const { href } = pathToFileURL(path);
  resolveForTeam(href);
  let exported: unknown;
  try {
    const isJson = extname(path) === '.json';
    exported = defaultOf(
      await inTime(import(href, isJson ? { with: { type: 'json' } } : {}), limitMs),
    );
  } catch (error) {
    throw new GatewayConfigError(`${path} cannot be loaded: ${reasonOf(error, path)}`, {
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
    const place = error instanceof Error ? placeIn(error.stack ?? '', path) : null;
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

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
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

/** The modules of the package that a team can import, relative to this file without its extension. */
const ownModules = new Map([
  ['dms-graphql-gateway', './index'],
  ['dms-graphql-gateway/schema', './schema/public'],
  ['dms-graphql-gateway/testing', './testing/index'],
]);
/** The configuration file and the files that it imports, without packages. */
const teamFiles = new Set<string>();
let onTeamFile = (_path: string): void => {};
let isResolving = false;

/** Calls a function with each file whose change can change the configuration, now and later. The files need not exist. */
export function reportFiles(report: (path: string) => void): void {
  onTeamFile = report;
}

/** The gateway also depends on a file that it reads itself. */
export function dependOn(path: string): void {
  onTeamFile(path);
}

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
  const here = { ...context, parentURL: import.meta.url };
  if (/^graphql(?:\/|$)/.test(specifier)) return nextResolve(specifier, here);
  try {
    return nextResolve(specifier, context);
  } catch (error) {
    const isPackage = /^[@a-z][^:]*$/i.test(specifier);
    if (!isPackage || !String(nodeCodeOf(error)).endsWith('MODULE_NOT_FOUND')) throw error;
    try {
      return nextResolve(specifier, here);
    } catch {
      throw error;
    }
  }
}

/** The message of an error of the import, with its place and what to do. */
function reasonOf(error: unknown, path: string): string {
  let report = error instanceof Error ? (error.stack ?? '') : '';
  if (error instanceof SyntaxError && placeIn(report, path) === null) report = parseFiles();
  const place = placeIn(report, path);
  return `${place === null ? '' : `${place}: `}${messageOf(error)}${hintFor(error, report)}`;
}

/** The first of the files of a team that a stack contains, and its line. Null if there is none. */
function placeIn(stack: string, path: string): string | null {
  const places = [...teamFiles].flatMap((url) => {
    const file = fileURLToPath(url);
    return [url, file].flatMap((name) => {
      const at = stack.indexOf(`${name}:`);
      const line = Number.parseInt(stack.slice(at + name.length + 1), 10);
      return at === -1 || Number.isNaN(line) ? [] : { at, file, line };
    });
  });
  const [first] = places.toSorted((one, other) => one.at - other.at);
  if (first === undefined) return null;
  return first.file === path ? `line ${first.line}` : `${first.file}, line ${first.line}`;
}

/** Parses files as modules, without running them, and fails with the place of the first error. */
const parseProgram = `
const { SourceTextModule } = require('node:vm');
for (const identifier of process.argv.slice(1)) {
  const source = require('node:fs').readFileSync(identifier, 'utf8');
  new SourceTextModule(require('node:module').stripTypeScriptTypes(source), { identifier });
}`;

/**
 * Returns the report of Node on the first of the files that does not parse. The error of an import does not say where it
 * is: only a process that ends with it does.
 */
function parseFiles(): string {
  const files = [...teamFiles].map((url) => fileURLToPath(url)).filter(isFile);
  const modules = files.filter((file) => /[jt]s$/.test(file));
  const flags = ['--no-warnings', '--experimental-vm-modules', '-e', parseProgram];
  return spawnSync(process.execPath, [...flags, ...modules], { encoding: 'utf8' }).stderr;
}

const hints: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|^\s*@/m,
    'Node removes types. It does not compile decorators, enums, namespaces and parameter properties: use JavaScript instead, or compile the file.',
  ],
  [/does not provide an export named/, 'Types are imported with `import type`.'],
  [/Unexpected token 'export'/, 'A CommonJS file exports with `module.exports =`.'],
];

/** What to do about an error of the import. Empty if its message says it. */
function hintFor(error: unknown, report: string): string {
  const similar = fileLike(error);
  if (similar !== null) return `. Did you mean ${similar}? Node needs the extension of a file.`;
  const [, hint] = hints.find(([pattern]) => pattern.test(report)) ?? [];
  return hint === undefined ? '' : `. ${hint}`;
}

/** The file that an import without extension, or with the extension of compiled code, means. */
function fileLike(error: unknown): string | null {
  if (!(error instanceof Error) || !('url' in error) || typeof error.url !== 'string') return null;
  const path = fileURLToPath(error.url);
  const stem = /\.[cm]?js$/.test(path) ? path.replace(/js$/, 'ts') : null;
  const names = [
    ...(stem === null ? [] : [stem]),
    ...extensions.flatMap((ending) => [path + ending, join(path, `index${ending}`)]),
  ];
  return names.find(isFile) ?? null;
}
