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
import { root, runWell } from '../package/run-program.ts';

/** What belongs to a feature besides `src/features/<name>`, `test/features/<name>` and `docs/<name>.md`. */
const otherPaths: Readonly<Record<string, readonly string[]>> = {
  agents: ['examples/agents'],
  federation: ['examples/federation', 'schema.federation.graphql'],
  'sandbox-inbox': globSync('test/browser/{inbox*,same-origin*}', { cwd: root }),
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
  return copy;
}

function deleteFeature(copy: string, name: string): void {
  const others = otherPaths[name] ?? [];
  for (const path of [`src/features/${name}`, ...others])
    rmSync(join(copy, path), { recursive: true });
  for (const path of [`test/features/${name}`, `docs/${name}.md`]) {
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
