import { stat } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'graphql-yoga';
import type { FormsConfig } from './forms-file.ts';
import type { GatewaySettings } from './config/setting-sources.ts';
import type { SchemaExtension } from './schema/extend.ts';
import type { CreateTeamContext } from './server/graphql/plugins/use-team-context.ts';
import { messageOf } from './model/common.ts';

/** A plugin of Yoga or Envelop. Each states which context it expects, so they have no common type. */
// oxlint-disable-next-line typescript/no-explicit-any -- the type parameters of plugins are contexts
export type TeamPlugin = Plugin<any, any, any>;

/** What a team adds to the gateway: the default export of `gateway.config.ts`. */
export interface GatewayConfig {
  /** Settings, unless the environment or `startGateway` sets them. */
  readonly settings?: GatewaySettings;
  /** Plugins of Yoga and Envelop. They run after those of the gateway that create the context. */
  readonly plugins?: readonly TeamPlugin[];
  /** Adds types and fields to the schema. */
  readonly schema?: SchemaExtension;
  /**
   * Creates what resolvers find in their context beside the gateway's own properties. Called once per request, after
   * its user is known and its query document is valid. The result is disposed when the request has ended.
   */
  readonly context?: CreateTeamContext;
  /** The forms that become types of the schema. */
  readonly forms?: FormsConfig;
}

/** Declares the configuration of a gateway, so that its types are checked. Returns the argument. */
export function defineGateway(config: GatewayConfig): GatewayConfig {
  return config;
}

/** The configuration file is not valid. The message names the file and what to change. */
export class GatewayConfigError extends Error {
  override readonly name = 'GatewayConfigError';
}

/** A configuration file that has been loaded. */
export interface LoadedConfig {
  readonly config: GatewayConfig;
  /** Names the file for an error that it may have caused, with the line where the error was thrown, if it is known. */
  locate(error: unknown): string;
}

const fileNames = ['gateway.config.ts', 'gateway.config.js', 'gateway.config.mjs'];
const keyChecks: Readonly<Record<keyof GatewayConfig, (value: unknown) => string | null>> = {
  settings: (value) => (isRecord(value) ? null : 'must be an object'),
  plugins: (value) =>
    Array.isArray(value) && value.every((plugin) => isRecord(plugin))
      ? null
      : 'must be a list of plugins of Yoga or Envelop',
  context: (value) => (typeof value === 'function' ? null : 'must be a function'),
  schema: (value) => (typeof value === 'function' ? null : 'must be a function'),
  forms: formsProblem,
};

/**
 * Returns the text of the schema, sorted, with what a configuration adds: for code generation and to review changes. The
 * gateway with this configuration serves the same. Only the embedded sandbox adds its own forms, if the configuration has
 * none.
 *
 * @throws if the configuration does not result in a valid schema
 */
export async function printSchemaOf(config: GatewayConfig): Promise<string> {
  const { forms, schema } = checkGatewayConfig(config, 'config');
  // A gateway does not print its schema when it starts.
  const { lexicographicSortSchema, printSchema } = await import('graphql');
  const { readForms } = await import('./forms-file.ts');
  const { schemaWith } = await import('./schema/index.ts');
  const whole = schemaWith(readForms(forms, null, false), schema ?? null);
  return `${printSchema(lexicographicSortSchema(whole))}\n`;
}

const formsKeys: Readonly<Record<keyof FormsConfig, (value: unknown) => boolean>> = {
  file: isText,
  names: isTexts,
  types: isTexts,
  documentProperty: isText,
};

function formsProblem(value: unknown): string | null {
  if (!isRecord(value)) return 'must be an object';
  const [problem] = Object.entries(value).flatMap(([key, option]) => {
    if (!Object.hasOwn(formsKeys, key)) return `has no option \`${key}\``;
    const isValid = option === undefined || formsKeys[key as keyof FormsConfig](option);
    return isValid ? [] : `has an invalid \`${key}\``;
  });
  return (
    problem ?? (value['file'] === undefined ? 'needs `file`, the path of a file with forms' : null)
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isText);
}

/**
 * Loads the configuration file. Node removes its types. Null if no file is given and the directory has none.
 *
 * @param file path relative to `directory`; null for `gateway.config.ts`, `.js` or `.mjs` in the directory
 * @param limitMs how long its top-level `await` can take
 * @throws {GatewayConfigError} naming the file and the reason
 */
export async function loadGatewayConfig(
  file: string | null,
  directory: string,
  limitMs = loadLimitMs,
): Promise<LoadedConfig | null> {
  const path = file === null ? await findFile(directory) : resolve(directory, file);
  if (path === null) return null;
  resolveOwnModules();
  let module: { readonly default?: unknown };
  try {
    module = (await importInTime(pathToFileURL(path).href, limitMs)) as typeof module;
  } catch (error) {
    throw new GatewayConfigError(`${path} cannot be loaded: ${reasonOf(error, path)}`, {
      cause: error,
    });
  }
  if (module.default === undefined) {
    throw new GatewayConfigError(
      `${path} has no default export. Write \`export default defineGateway({ … })\`.`,
    );
  }
  const config = withPaths(checkGatewayConfig(module.default, path), dirname(path));
  const locate = (error: unknown): string => {
    const line = lineOf(error, path);
    return `Configuration file: ${path}${line === null ? '' : `, line ${line}`}`;
  };
  return { config, locate };
}

const loadLimitMs = 30_000;

async function importInTime(url: string, limitMs: number): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  // The timer also keeps the process running, which would end without a reason while nothing else does.
  const timer = setTimeout(() => {
    late.reject(new Error(`its top-level \`await\` takes longer than ${limitMs} ms`));
  }, limitMs);
  try {
    return await Promise.race([import(url), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Checks a configuration, which need not have been compiled.
 *
 * @param source names the file or option in the message
 * @throws {GatewayConfigError}
 */
export function checkGatewayConfig(value: unknown, source: string): GatewayConfig {
  if (!isRecord(value)) {
    throw new GatewayConfigError(`${source} must be an object`);
  }
  const problems = Object.entries(value).flatMap(([key, option]) => {
    if (!Object.hasOwn(keyChecks, key)) return `\`${key}\` is not an option`;
    const problem = keyChecks[key as keyof GatewayConfig](option);
    return option === undefined || problem === null ? [] : `\`${key}\` ${problem}`;
  });
  if (problems.length === 0) return value;
  throw new GatewayConfigError(problems.map((problem) => `${source}: ${problem}`).join('\n'));
}

/** The configuration with absolute paths. */
function withPaths(config: GatewayConfig, directory: string): GatewayConfig {
  const { forms } = config;
  if (forms === undefined) return config;
  return { ...config, forms: { ...forms, file: resolve(directory, forms.file) } };
}

/** The modules of the package that a configuration file can import, relative to this file without its extension. */
const ownModules = new Map([
  ['dms-graphql-gateway', './index'],
  ['dms-graphql-gateway/schema', './schema/public'],
  ['dms-graphql-gateway/testing', './testing/index'],
]);

/**
 * Lets the configuration file import the package by its name in a clone of the project, where the package is not
 * installed, and lets it always get the modules of this process.
 */
function resolveOwnModules(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const path = ownModules.get(specifier);
      if (path === undefined) return nextResolve(specifier, context);
      const url = new URL(`${path}${extname(import.meta.filename)}`, import.meta.url).href;
      return { url, shortCircuit: true };
    },
  });
}

async function findFile(directory: string): Promise<string | null> {
  for (const name of fileNames) {
    const path = resolve(directory, name);
    if (
      await stat(path).then(
        (found) => found.isFile(),
        () => false,
      )
    )
      return path;
  }
  return null;
}

/** A promise is none: it lacks an `await`. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof Promise);
}

/** The message of an error, and the line of the file where it was thrown, if it is known. */
function reasonOf(error: unknown, path: string): string {
  const line = lineOf(error, path);
  return `${line === null ? '' : `line ${line}: `}${messageOf(error)}`;
}

/** The line of the file where an error was thrown. Null if its stack does not contain the file. */
function lineOf(error: unknown, path: string): number | null {
  if (!(error instanceof Error)) return null;
  for (const name of [pathToFileURL(path).href, path]) {
    const rest = error.stack?.split(`${name}:`)[1];
    if (rest !== undefined) return Number.parseInt(rest, 10);
  }
  return null;
}
