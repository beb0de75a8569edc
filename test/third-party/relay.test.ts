import { readdirSync, readFileSync } from 'node:fs';
import type { ConcreteRequest } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';
import { compileRelay, type RelayProject } from './relay-project.ts';

let project: RelayProject;

beforeAll(async () => {
  const folder = new URL('relay/', import.meta.url);
  const documents = readdirSync(folder).map((name) => [
    name.replace('.graphql', ''),
    readFileSync(new URL(name, folder), 'utf8'),
  ]);
  project = await compileRelay(Object.fromEntries(documents));
});

afterAll(() => project.remove());

describe('relay-compiler', () => {
  it('takes connections, refetched fragments, nodes and a mutation', async () => {
    const { stdout, stderr } = project;
    expect(stderr).toBe('');
    expect(stdout).toContain('Compilation completed.');
    expect(stdout).not.toMatch(/warn|error/i);
    expect(await project.artifacts()).toEqual([
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
      const { params } = await project.load<ConcreteRequest>(name);
      const answered = await gateway.query(params.text!, { ...variables });
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

function idsOf(edges: readonly { node: { id: string } }[]): string[] {
  return edges.map(({ node }) => node.id);
}
