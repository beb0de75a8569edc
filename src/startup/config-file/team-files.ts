import { statSync } from 'node:fs';
import module, { type ResolveHookContext } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeCodeOf } from '../../model/common.ts';

export const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'];
const ownModules = new Map([
  ['dms-graphql-gateway', '../../index'],
  ['dms-graphql-gateway/schema', '../../schema/public'],
  ['dms-graphql-gateway/testing', '../../testing/index'],
]);
export const teamFiles = new Set<string>();
let onTeamFile = (_path: string): void => {};
let isResolving = false;

export function reportFiles(report: (path: string) => void): void {
  onTeamFile = report;
}

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
export function resolveForTeam(entry: string): void {
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

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
