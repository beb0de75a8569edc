import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync } from 'oxc-parser';
import { sizeTable, sourceSize } from './source-size.ts';

/*
 * Prints how many source files a query and a mutation enter, and how often they change the module: each function of a
 * running gateway records its file when it is called. Both operations are new to the gateway, which has answered others
 * before. `--files` also prints the files in the order in which they are first entered. `--size` prints only how many files
 * and lines of code the core and each feature have.
 */
const { values: options } = parseArgs({
  options: { files: { type: 'boolean' }, size: { type: 'boolean' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));

if (options.size) {
  process.stdout.write(sizeTable(sourceSize(`${root}src`)));
  process.exit();
}

/** The files of the called functions, in order. */
let calls: string[] = [];
Object.assign(globalThis, { recordCall: (file: string) => calls.push(file) });

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
    if (!/^src\/.*\.ts$/.test(path)) return loaded;
    return { ...loaded, source: withRecording(path, readFileSync(new URL(url), 'utf8')) };
  },
});

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: SyntaxNode | null;
}

/** Lets each function of a source text record its call. */
function withRecording(path: string, source: string): string {
  const call = `globalThis.recordCall(${JSON.stringify(path)})`;
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: object): void => {
    const { type, body } = node as Partial<SyntaxNode>;
    if (body && /Function/.test(type ?? '')) {
      if (body.type === 'BlockStatement') insertions.push({ at: body.start + 1, text: `${call};` });
      else insertions.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' });
    }
    for (const child of Object.values(node)) {
      if (typeof child === 'object' && child !== null) visit(child);
    }
  };
  visit(parseSync(path, source).program);
  return insertions
    .toSorted((first, second) => second.at - first.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}

/** The module of a file, as in docs/architecture.md. */
function moduleOf(path: string): string {
  const [, name = '', inner = ''] = path.split('/');
  return ['rest', 'server'].includes(name) ? `${name}/${inner}` : name;
}

function report(label: string, files: readonly string[]): void {
  const entered = new Set(files);
  const modules = files.map(moduleOf);
  const changes = modules.filter((name, index) => index > 0 && name !== modules[index - 1]).length;
  const counts = `enters ${entered.size} files, changes module ${changes} times`;
  process.stdout.write(`The ${label} ${counts}, calls ${files.length} functions.\n`);
  if (options.files)
    process.stdout.write(`${[...entered].map((file) => `  ${file}\n`).join('')}\n`);
}

// A static import would be resolved before the hooks are registered.
const { startGateway } = await import('../src/startup/start-gateway.ts');
await using gateway = await startGateway({ LOG_LEVEL: 'info' }, { onLog: () => logged() });
let logged = (): void => {};

/** Sends an operation. Resolves with the called files when the request has been logged, which is its last step. */
async function send(query: string): Promise<readonly string[]> {
  const finished = new Promise<void>((resolve) => (logged = resolve));
  calls = [];
  const response = await fetch(gateway.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  await finished;
  return calls;
}

const query = (id: string): string => `{ document(id: "${id}") { id shortId } }`;
const mutation = (id: string): string => `mutation {
  respondToDocument(input: { document: "${id}", action: APPROVE }) {
    ... on RespondToDocumentPayload { document { id shortId } }
  }
}`;

await send(query('DOC-0190'));
report('query', await send(query('DOC-0189')));
await send(mutation('DOC-0191'));
report('mutation', await send(mutation('DOC-0179')));
