import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
