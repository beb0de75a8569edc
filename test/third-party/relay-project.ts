import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const schema = fileURLToPath(new URL('../../schema.graphql', import.meta.url));
const compiler = fileURLToPath(import.meta.resolve('relay-compiler/cli.js'));

/** A front end's folder, compiled. */
export interface RelayProject {
  /** With the artifacts in `artifacts/`. */
  readonly folder: string;
  readonly stdout: string;
  readonly stderr: string;
  remove(): Promise<void>;
}

/** Compiles the documents of a folder, as the modules of a front end hold them, with the gateway's schema. */
export async function compileRelay(
  documents: URL,
  { language }: { readonly language: 'typescript' | 'javascript' },
): Promise<RelayProject> {
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  await mkdir(join(folder, 'src'));
  await mkdir(join(folder, 'artifacts'));
  await copyFile(schema, join(folder, 'schema.graphql'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of await readdir(documents)) {
    const text = await readFile(new URL(name, documents), 'utf8');
    const module = name.replace('.graphql', language === 'typescript' ? '.ts' : '.js');
    await writeFile(join(folder, 'src', module), `graphql\`\n${text}\`;\n`);
  }
  const config = join(folder, 'relay.config.json');
  await writeFile(
    config,
    JSON.stringify({
      src: 'src',
      schema: 'schema.graphql',
      language,
      artifactDirectory: 'artifacts',
      eagerEsModules: true,
    }),
  );
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [compiler, '--noWatchman', config],
    { cwd: folder },
  );
  return { folder, stdout, stderr, remove: () => rm(folder, { recursive: true }) };
}
