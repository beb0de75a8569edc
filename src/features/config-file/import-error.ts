import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../model/common.ts';
import { extensions, isFile, teamFiles } from './team-files.ts';

/** The message of an error of the import, with its place and what to do. */
export function reasonOf(error: unknown, path: string): string {
  let report = error instanceof Error ? (error.stack ?? '') : '';
  if (error instanceof SyntaxError && placeIn(report, path) === null) report = parseFiles();
  const place = placeIn(report, path);
  return `${place === null ? '' : `${place}: `}${messageOf(error)}${hintFor(error, report)}`;
}

/** The first of the files of a team that a stack contains, and its line. Null if there is none. */
export function placeIn(stack: string, path: string): string | null {
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
