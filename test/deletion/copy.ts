import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, print } from 'graphql';
import { root, runWell } from '../package/run-program.ts';

/** The files of a pattern. @throws if there are none, unless they are tests of features that are deleted */
function existing(pattern: string): readonly string[] {
  const found = globSync(pattern, { cwd: root });
  const folders = /^test\/features\/\{?([^}/]+)/.exec(pattern)?.[1]?.split(',') ?? [''];
  const isExpected = folders.some((name) => existsSync(join(root, 'test/features', name)));
  if (found.length === 0 && isExpected) throw new Error(`No ${pattern}.`);
  return found;
}

/** What belongs to a feature besides the files and folders of its name. */
const otherPaths: Readonly<Record<string, readonly string[]>> = {
  agents: ['examples/agents'],
  'dms-commands': existing('test/features/redis/check-redis.test.ts'),
  federation: ['examples/federation', 'schema.federation.graphql'],
  forms: ['examples/own-fields', 'test/deploy/image.test.ts'],
  incremental: existing('examples/30-defer.*'),
  'persisted-documents': existing('test/features/{incremental,subscriptions}/persisted.test.ts'),
  redis: ['docs/fleet.md'],
  subscriptions: existing('examples/2[01]-document*-changed.*'),
  tracing: existing('test/features/{incremental,subscriptions}/tracing.test.ts'),
  'sandbox-inbox': existing('test/browser/{firefox*,inbox*,same-origin*}'),
};

/** What the schemas have of a feature, by the names of types and directives. Fields of its types are gone with it. */
const ownDefinitions: Readonly<Record<string, readonly string[]>> = {
  forms: [], // only the example declares some
  incremental: ['defer', 'stream'],
  subscriptions: ['DocumentsChange', 'Subscription'],
};

/** The names of all features: the folders of src/features. */
export const featureNames = readdirSync(join(root, 'src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** A feature and those that import it, which cannot stay without it. */
export function withDependents(name: string): ReadonlySet<string> {
  const names = new Set([name]);
  // A set that grows is visited to its new end.
  for (const deleted of names) {
    for (const other of featureNames) if (importsFeature(other, deleted)) names.add(other);
  }
  return names;
}

function importsFeature(name: string, other: string): boolean {
  return globSync(join(root, `src/features/${name}/**/*.ts`)).some((path) =>
    readFileSync(path, 'utf8').includes(`../${other}/`),
  );
}

/** Copies the files of the repository, also those that are not committed, to a temporary directory without features. */
export async function copyWithout(features: ReadonlySet<string>): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'deletion-'));
  const listed = await runWell(root, 'git', 'ls-files', '-z', '-co', '--exclude-standard');
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const name of features) deleteFeature(copy, name);
  if ([...features].some((name) => name in ownDefinitions)) {
    await runWell(copy, 'node', 'scripts/print-schema.ts');
    copyFileSync(join(copy, 'schema.graphql'), join(copy, 'test/schema/released.graphql'));
  }
  return copy;
}

/** What tsc has found in an earlier copy. Paths are relative to the copy. */
const buildInfo = join(root, 'node_modules/.cache/deletion.tsbuildinfo');

/**
 * Compiles the features of a copy, and their tests, anew where they differ from the copy before. Nothing else of src/ and
 * test/ is checked: it does not depend on one feature, which the copy without all features proves, and takes four times
 * as long.
 *
 * @returns the output of tsc
 * @throws if it fails
 */
export async function compileFeatures(copy: string): Promise<string> {
  for (const path of globSync('{src,sandbox,test,scripts}/**/*.ts', { cwd: copy })) {
    if (/^(?:src|test)\/features\//.test(path)) continue;
    const file = join(copy, path);
    writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, 'utf8')}`);
  }
  const only = {
    extends: './tsconfig.json',
    compilerOptions: { incremental: true, tsBuildInfoFile: './tsbuildinfo' },
    include: ['src/features', 'test/features'],
  };
  writeFileSync(join(copy, 'tsconfig.features.json'), JSON.stringify(only));
  if (existsSync(buildInfo)) copyFileSync(buildInfo, join(copy, 'tsbuildinfo'));
  const output = await runWell(copy, 'tsc', '--noEmit', '-p', 'tsconfig.features.json');
  mkdirSync(dirname(buildInfo), { recursive: true });
  copyFileSync(join(copy, 'tsbuildinfo'), buildInfo);
  return output;
}

/** What the committed schemas have and those of a copy do not, or have otherwise, but for what the features add. */
export function lostFrom(copy: string, features: ReadonlySet<string>): readonly string[] {
  const own = new Set([...features].flatMap((name) => ownDefinitions[name] ?? []));
  const paths = new Set(globSync('{,examples/own-fields/}schema*.graphql', { cwd: copy }));
  const ofFeatures = new Set([...features].flatMap((name) => otherPaths[name] ?? []));
  return [...paths.difference(ofFeatures)].flatMap((path) => {
    const [committed, printed] = [root, copy].map((folder) => definitionsOf(join(folder, path)));
    const names = new Set([...committed!.keys(), ...printed!.keys()]).difference(own);
    return [...names].filter((name) => committed!.get(name) !== printed!.get(name));
  });
}

/** The definitions of a schema as texts, by name. */
function definitionsOf(path: string): ReadonlyMap<string, string> {
  const { definitions } = parse(readFileSync(path, 'utf8'));
  return new Map(
    definitions.map((one) => ['name' in one ? (one.name?.value ?? '') : one.kind, print(one)]),
  );
}

function deleteFeature(copy: string, name: string): void {
  const others = otherPaths[name] ?? [];
  for (const path of others) if (!existsSync(join(root, path))) throw new Error(`No ${path}.`);
  for (const path of [
    `src/features/${name}`,
    `test/features/${name}`,
    `docs/${name}.md`,
    `examples/clients/${name}`,
    ...others,
  ]) {
    rmSync(join(copy, path), { recursive: true, force: true });
  }
  const list = join(copy, 'src/features/index.ts');
  writeFileSync(list, withoutFeature(readFileSync(list, 'utf8'), name));
}

/** Removes a feature from the text of src/features/index.ts. @throws if it is not there */
function withoutFeature(list: string, name: string): string {
  const [line, symbol] =
    new RegExp(`^import \\{ (\\w+) \\} from '\\./${name}/index\\.ts';\\n`, 'm').exec(list) ?? [];
  if (line === undefined) throw new Error(`src/features/index.ts does not import ${name}.`);
  return list
    .replace(line, '')
    .replace(/ = \[[^\]]*\]/, (names) => names.replace(new RegExp(`\\b${symbol}\\b,?`), ''));
}
