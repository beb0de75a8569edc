import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const schema = fileURLToPath(new URL('../../schema.graphql', import.meta.url));
const compiler = fileURLToPath(import.meta.resolve('relay-compiler/cli.js'));
const artifacts = 'src/__generated__';

/** A front end's folder, compiled. */
export interface RelayProject {
  readonly folder: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Loads what the compiler made of an operation or a fragment. */
  load<T>(name: string): Promise<T>;
  remove(): Promise<void>;
}

/** Compiles documents, by the names of their modules, with the gateway's schema. */
export async function compileRelay(
  documents: Readonly<Record<string, string>>,
  config: { readonly persistConfig?: { readonly file: string } } = {},
): Promise<RelayProject> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  await mkdir(join(folder, artifacts), { recursive: true });
  await copyFile(schema, join(folder, 'schema.graphql'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(documents)) {
    await writeFile(join(folder, 'src', `${name}.js`), `graphql\`\n${text}\`;\n`);
  }
  // The compiler adds to a manifest that exists.
  if (config.persistConfig) await writeFile(join(folder, config.persistConfig.file), '{}');
  const configFile = join(folder, 'relay.config.json');
  const defaults = {
    src: 'src',
    schema: 'schema.graphql',
    language: 'javascript',
    artifactDirectory: artifacts,
    eagerEsModules: true,
  };
  await writeFile(configFile, JSON.stringify({ ...defaults, ...config }));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [compiler, '--noWatchman', configFile],
    { cwd: folder },
  );
  return {
    folder,
    stdout,
    stderr,
    async load<T>(name: string) {
      const path = join(folder, artifacts, `${name}.graphql.js`);
      return ((await import(pathToFileURL(path).href)) as { default: T }).default;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
