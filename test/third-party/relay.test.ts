import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';

const schema = fileURLToPath(new URL('../../schema.graphql', import.meta.url));
const compiler = fileURLToPath(import.meta.resolve('relay-compiler/cli.js'));
const documents = new URL('relay/', import.meta.url);

/** The directory of a front end: the documents of relay/ as its modules contain them, and the schema. */
let project = '';
let compiled: { readonly stdout: string; readonly stderr: string };

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'relay-'));
  await mkdir(join(project, 'src'));
  await mkdir(join(project, 'artifacts'));
  await copyFile(schema, join(project, 'schema.graphql'));
  for (const name of await readdir(documents)) {
    const text = await readFile(new URL(name, documents), 'utf8');
    const module = name.replace('.graphql', '.ts');
    await writeFile(join(project, 'src', module), `graphql\`\n${text}\`;\n`);
  }
  await writeFile(
    join(project, 'relay.config.json'),
    JSON.stringify({
      src: 'src',
      schema: 'schema.graphql',
      language: 'typescript',
      artifactDirectory: 'artifacts',
    }),
  );
  compiled = await promisify(execFile)(
    process.execPath,
    [compiler, '--noWatchman', join(project, 'relay.config.json')],
    { cwd: project },
  );
});

afterAll(async () => {
  await rm(project, { recursive: true });
});

describe('relay-compiler', () => {
  it('accepts connections, fragments, nodes and mutations', async () => {
    const { stdout, stderr } = compiled;
    expect(stderr).toBe('');
    expect(stdout).toContain('Compilation completed.');
    expect(stdout).not.toMatch(/warn|error/i);
    expect(await artifacts()).toEqual([
      'ApprovalMutation',
      'InboxPageDocumentQuery',
      'InboxPageDocumentsQuery',
      'InboxPageOrganizationsQuery',
      'InboxPageQuery',
      'InboxPage_document',
      'InboxPage_documents',
      'InboxPage_organizations',
      'NodesPersonQuery',
      'NodesQuery',
      'Nodes_person',
    ]);
  });

  it('generates working operations', async () => {
    const gateway = await startGatewayOnSandbox();
    const run = async (name: string, variables: object) => {
      const answered = await gateway.query(await operationOf(name), { ...variables });
      expect({ name, errors: answered.errors }).toEqual({ name, errors: undefined });
      return answered.data;
    };

    const page = await run('InboxPageQuery', { count: 2 });
    const { edges, pageInfo, totalCount } = page.documents;
    expect(edges).toHaveLength(2);
    expect(totalCount).toBeGreaterThan(4);
    expect(page.organizations.edges).toHaveLength(2);

    const next = await run('InboxPageDocumentsQuery', { count: 2, cursor: pageInfo.endCursor });
    expect(next.documents.edges).toHaveLength(2);
    expect(idsOf(next.documents.edges)).not.toEqual(idsOf(edges));

    const [{ node: first }] = edges;
    const again = await run('InboxPageDocumentQuery', { id: first.id, count: 1 });
    expect(again.node).toMatchObject({ __typename: 'Document', shortId: first.shortId });

    const ids = [first.id, first.author.id];
    const nodes = await run('NodesQuery', { ids });
    expect(nodes.nodes).toMatchObject([
      { __typename: 'Document', id: first.id },
      { __typename: 'Person', id: first.author.id, fullName: first.author.fullName },
    ]);
    const person = await run('NodesPersonQuery', { id: first.author.id });
    expect(person.node).toMatchObject({ id: first.author.id, fullName: first.author.fullName });

    const input = { document: first.id, action: 'APPROVE' };
    const approved = await run('ApprovalMutation', { input });
    expect(approved.respondToDocument).toMatchObject({
      __typename: 'RespondToDocumentPayload',
      document: { id: first.id },
    });
  });
});

async function artifacts(): Promise<string[]> {
  const names = await readdir(join(project, 'artifacts'));
  return names.map((name) => name.replace('.graphql.ts', '')).toSorted();
}

/** The text that Relay sends for an operation. */
async function operationOf(name: string): Promise<string> {
  const artifact = await readFile(join(project, 'artifacts', `${name}.graphql.ts`), 'utf8');
  const [, text = '""'] = /"text": (".*")$/m.exec(artifact) ?? [];
  return String(JSON.parse(text));
}

function idsOf(edges: readonly { node: { id: string } }[]): string[] {
  return edges.map(({ node }) => node.id);
}
