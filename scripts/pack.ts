import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Runs before and after `npm pack` and `npm publish`: `prepare` and `restore`.
 *
 * `prepare` compiles src/ and sandbox/ to JavaScript with declarations, because Node does not strip types below
 * node_modules, writes the introspection result of the schema, and copies the built inbox and playground to where the
 * compiled code finds them. While it is packed, package.json has the commit, and no `optionalDependencies`: they are
 * Node itself, for this repository, and would replace the Node that the scripts of another project run on. The pages
 * have no links to what is not packed.
 */
const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (path: string): string => readFileSync(pathOf(path), 'utf8');
const originals = 'dist/originals';

if (process.argv[2] === 'restore') {
  restore();
} else {
  restore(); // after an interrupted run
  await compile();
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: pathOf(''),
    encoding: 'utf8',
  });
  const gitHead = status === 0 ? stdout.trim() : undefined; // none outside of a clone
  const paths = packedPaths();
  for (const path of ['package.json', ...paths].filter((name) => /\.md$|^package/.test(name))) {
    const text = read(path);
    mkdirSync(pathOf(dirname(`${originals}/${path}`)), { recursive: true });
    writeFileSync(pathOf(`${originals}/${path}`), text);
    writeFileSync(pathOf(path), packedText(path, text, paths, gitHead));
  }
}

/** Restores the files that were changed for packing, unless one has been edited since an interrupted run. */
function restore(): void {
  if (!existsSync(pathOf(originals))) return;
  const paths = packedPaths();
  const changed = globSync('**/*.{json,md}', { cwd: pathOf(originals) }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const { gitHead } = JSON.parse(read('package.json')) as { gitHead?: string };
  const edited = changed.filter((path) => {
    const before = read(`${originals}/${path}`);
    return ![before, packedText(path, before, paths, gitHead)].includes(read(path));
  });
  if (edited.length > 0) {
    process.stderr.write(
      `${edited.join(', ')}: changed since \`npm pack\` was interrupted. ${originals}/ has the versions before.\n` +
        `Apply the changes there, copy its files back, and delete ${originals}/.\n`,
    );
    process.exit(1);
  }
  for (const path of changed) renameSync(pathOf(`${originals}/${path}`), pathOf(path));
  rmSync(pathOf(originals), { recursive: true });
}

/** What is packed besides dist/. */
function packedPaths(): ReadonlySet<string> {
  const { files = [] } = JSON.parse(read('package.json')) as { files?: readonly string[] };
  const matching = (patterns: readonly string[]): string[] =>
    globSync([...patterns], { cwd: pathOf('') }).map((path) => path.replaceAll('\\', '/'));
  const excluded = matching(files.flatMap((name) => (name.startsWith('!') ? name.slice(1) : [])));
  const named = matching(files.filter((name) => !/^!|^dist\//.test(name)));
  const paths = new Set(['README.md', ...named]);
  return paths.difference(new Set(excluded));
}

function packedText(
  path: string,
  text: string,
  paths: ReadonlySet<string>,
  gitHead: string | undefined,
): string {
  if (path !== 'package.json') return packedPage(path, text, paths);
  const { optionalDependencies: _, ...packed } = JSON.parse(text) as Record<string, unknown>;
  return `${JSON.stringify({ ...packed, gitHead }, null, 2)}\n`;
}

/** A page in which links to what is not packed are text, and which has no pictures. */
function packedPage(path: string, page: string, paths: ReadonlySet<string>): string {
  const isPacked = (target: string): boolean =>
    /^(?:[a-z]+:|#)/i.test(target) ||
    paths.has(posix.join(posix.dirname(path), target.split('#')[0]!));
  return page
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => {
      if (index % 2 === 1) return part; // code
      return part
        .replaceAll(/<picture>[\s\S]*?<\/picture>\n*/g, '')
        .replaceAll(
          /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
          (link: string, label: string, target: string) => (isPacked(target) ? link : label),
        );
    })
    .join('');
}

async function compile(): Promise<void> {
  rmSync(pathOf('dist'), { recursive: true, force: true });
  const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], {
    cwd: pathOf(''),
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2], // the standard output is that of `npm pack --json`
  });
  if (status !== 0) process.exit(1);
  // Restoring needs no package.
  const { introspectionFromSchema } = await import('graphql');
  const { openSchemaOf } = await import('../src/gateway-config.ts');
  const { readConfig } = await import('../src/features/settings.ts');
  const { build } = await openSchemaOf({}, readConfig({}));
  const introspection = introspectionFromSchema(await build(), { descriptions: false });
  writeFileSync(pathOf('dist/introspection.json'), JSON.stringify(introspection));
  // The type of the JSON would be too exact for the clients that take it.
  writeFileSync(
    pathOf('dist/introspection.d.ts'),
    "import type { IntrospectionQuery } from 'graphql';\ndeclare const introspection: IntrospectionQuery;\nexport default introspection;\n",
  );
  for (const name of ['inbox', 'playground']) {
    const built = `examples/${name}/dist`;
    cpSync(pathOf(built), pathOf(`dist/${built}`), { recursive: true });
  }
}
