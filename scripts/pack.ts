import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';

/*
 * Runs before and after `npm pack` and `npm publish`: `prepare` and `restore`.
 *
 * `prepare` compiles src/ and sandbox/ to JavaScript with declarations, because Node does not strip types below
 * node_modules, writes the introspection result of the schema, and copies the built inbox and playground to where the
 * compiled code finds them. It also leaves `optionalDependencies`
 * out of package.json while it is packed: they are Node itself, for this repository, and would replace the Node that
 * the scripts of another project run on, and adds the commit.
 */
const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const manifest = pathOf('package.json');
const original = pathOf('dist/package.json');

if (process.argv[2] === 'restore') {
  restore();
} else {
  restore(); // after an interrupted run
  await compile();
  copyFileSync(manifest, original);
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: pathOf(''),
    encoding: 'utf8',
  });
  const gitHead = status === 0 ? stdout.trim() : undefined; // none outside of a clone
  writeFileSync(manifest, packedText(readFileSync(original, 'utf8'), gitHead));
}

/** Restores package.json, unless it has been edited since an interrupted run. */
function restore(): void {
  if (!existsSync(original)) return;
  const before = readFileSync(original, 'utf8');
  const now = readFileSync(manifest, 'utf8');
  const { gitHead } = JSON.parse(now) as { gitHead?: string };
  if (![before, packedText(before, gitHead)].includes(now)) {
    process.stderr.write(
      'package.json has changed since `npm pack` was interrupted. dist/package.json is the version before.\n' +
        'Add its optionalDependencies to package.json, and delete dist/package.json.\n',
    );
    process.exit(1);
  }
  renameSync(original, manifest);
}

/** package.json as it is packed, with the commit, which `--version` prints. */
function packedText(text: string, gitHead: string | undefined): string {
  const { optionalDependencies: _, ...packed } = JSON.parse(text) as Record<string, unknown>;
  return `${JSON.stringify({ ...packed, gitHead }, null, 2)}\n`;
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
