import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CombinedGraphQLErrors, gql, type ApolloClient } from '@apollo/client';
import type { Client, TypedDocumentNode } from '@urql/core';
import { parse } from 'graphql';
import { commitMutation, fetchQuery, type ConcreteRequest } from 'relay-runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startGatewayOnSandbox } from '../../helpers/gateway.ts';
import { blockOf } from '../../helpers/page-block.ts';
import { persistedClient } from '../../helpers/persisted-documents.ts';
import { compileRelay } from '../../third-party/relay-project.ts';
import * as apolloAutomatic from '../../../examples/clients/persisted-documents/apollo-automatic.ts';
import * as apolloCodegen from '../../../examples/clients/persisted-documents/apollo-codegen.ts';
import * as apolloTrusted from '../../../examples/clients/persisted-documents/apollo-trusted.ts';
import * as urqlAutomatic from '../../../examples/clients/persisted-documents/urql-automatic.ts';
import * as urqlTrusted from '../../../examples/clients/persisted-documents/urql-trusted.ts';
import { createClient as createRelayClient } from '../../../examples/clients/start/relay.ts';

/*
 * The directory manifests/ contains the operations of a front end and the output of two tools: apollo-manifest.json of
 * @apollo/generate-persisted-query-manifest 1.4.0 with default settings, and codegen-*.json of
 * @graphql-codegen/client-preset 6.2.0 with the configuration of the page (its manifest, and the documents of its module).
 * relay-compiler runs in the test.
 */
const read = (name: string): Promise<string> =>
  readFile(new URL(`manifests/${name}`, import.meta.url), 'utf8');
const pathOf = (name: string): string =>
  fileURLToPath(new URL(`manifests/${name}`, import.meta.url));

const app = await read('app.graphql');
const [inboxText = '', removalText = ''] = app.split(/(?=^mutation)/m);
const codegenDocuments = JSON.parse(await read('codegen-documents.json')) as Record<
  'Inbox' | 'Removal',
  TypedDocumentNode
>;
const expectedInbox = { documents: { nodes: [{ id: expect.any(String) }, {}] } };
const removed = { id: '0000000000000000000000ff' };
const expectedRemoval = { deleteOrganization: { __typename: 'NotFoundError' } };

/** Starts a gateway with the sandbox, and records method and parameters of each request. */
async function start(manifest?: string) {
  const gateway = await startGatewayOnSandbox({
    server: {
      persistedDocuments: manifest ?? null,
      persistedOnly: manifest !== undefined,
    },
  });
  const sent: string[] = [];
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((address, init) => {
    const body = init?.method === 'POST' ? JSON.parse(init.body as string) : {};
    const search = new URL(address as string).searchParams;
    const parts = ['documentId', 'query', 'extensions'].filter((name) => {
      return body[name] !== undefined || search.has(name);
    });
    sent.push(`${init?.method ?? 'GET'} ${parts.join(', ')}`);
    return fetch(address, init);
  });
  return { gateway, sent, url: `${gateway.url}/graphql` };
}

describe('Apollo Client', () => {
  const inbox = gql(inboxText);
  const removal = gql(removalText);
  const ask = async (client: ApolloClient, first: number): Promise<unknown> => {
    const { data } = await client.query({ query: inbox, variables: { first } });
    return data;
  };

  it('registers unknown documents once', async () => {
    const { sent, url } = await start();
    const client = apolloAutomatic.connect(url);
    expect(await ask(client, 2)).toMatchObject(expectedInbox);
    expect(sent.splice(0)).toEqual(['GET extensions', 'POST query, extensions']);
    expect(await ask(client, 3)).toMatchObject({ documents: { nodes: { length: 3 } } });
    expect(await ask(apolloAutomatic.connect(url), 2)).toMatchObject(expectedInbox);
    expect(sent.splice(0)).toEqual(['GET extensions', 'GET extensions']);
    for (const expected of [['POST extensions', 'POST query, extensions'], ['POST extensions']]) {
      const { data } = await client.mutate({ mutation: removal, variables: removed });
      expect(data).toMatchObject(expectedRemoval);
      expect(sent.splice(0)).toEqual(expected);
    }
  });

  it('executes only the documents of its manifest', async () => {
    const { sent, url } = await start(pathOf('apollo-manifest.json'));
    const manifest = JSON.parse(await read('apollo-manifest.json'));
    const client = apolloTrusted.connect(url, async () => manifest);
    expect(await ask(client, 2)).toMatchObject(expectedInbox);
    const { data } = await client.mutate({ mutation: removal, variables: removed });
    expect(data).toMatchObject(expectedRemoval);
    expect(sent.splice(0)).toEqual(['POST extensions', 'POST extensions']);

    const ids = async () => ({ operations: [{ id: 'another', name: 'Inbox' }] });
    const other = apolloTrusted.connect(url, ids);
    await expect(ask(other, 2)).rejects.toSatisfy(
      (error) =>
        CombinedGraphQLErrors.is(error) &&
        error.errors[0]?.extensions?.['code'] === 'PERSISTED_DOCUMENT_NOT_FOUND',
    );
    expect(sent).toEqual(['POST extensions']);
  });

  it('executes the documents of GraphQL Code Generator', async () => {
    const { sent, url } = await start(pathOf('codegen-manifest.json'));
    const client = apolloCodegen.connect(url);
    const query = codegenDocuments.Inbox;
    const { data } = await client.query({ query, variables: { first: 2 } });
    expect(data).toMatchObject(expectedInbox);
    expect(client.readQuery({ query, variables: { first: 2 } })).toEqual(data);
    expect(sent).toEqual(['POST extensions']);
  });
});

describe('urql', () => {
  const ask = async (client: Client, query: TypedDocumentNode | string, first: number) => {
    const { data, error } = await client.query(query, { first }).toPromise();
    return { data, codes: error?.graphQLErrors.map(({ extensions }) => extensions['code']) };
  };

  it('registers unknown documents once', async () => {
    const { sent, url } = await start();
    const client = urqlAutomatic.connect(url);
    expect(await ask(client, inboxText, 2)).toMatchObject({ data: expectedInbox });
    expect(sent.splice(0)).toEqual(['GET extensions', 'GET query, extensions']);
    expect(await ask(urqlAutomatic.connect(url), inboxText, 2)).toMatchObject({
      data: expectedInbox,
    });
    expect(sent.splice(0)).toEqual(['GET extensions']);
    for (const expected of [['POST extensions', 'POST query, extensions'], ['POST extensions']]) {
      const { data } = await client.mutation(removalText, removed).toPromise();
      expect(data).toMatchObject(expectedRemoval);
      expect(sent.splice(0)).toEqual(expected);
    }
  });

  it('executes only the documents of a manifest', async () => {
    const { sent, url } = await start(pathOf('codegen-manifest.json'));
    const client = urqlTrusted.connect(url);
    const inbox = await ask(client, codegenDocuments.Inbox, 2);
    expect(inbox).toMatchObject({ data: expectedInbox });
    // A cache needs the type of every object.
    expect(inbox).toMatchObject({
      data: { documents: { nodes: [{ __typename: 'Document' }, {}] } },
    });
    const { data } = await client.mutation(codegenDocuments.Removal, removed).toPromise();
    expect(data).toMatchObject(expectedRemoval);
    expect(sent).toEqual(['POST extensions', 'POST extensions']);

    const other = { ...parse('{ viewer { runAs } }'), __meta__: { hash: 'another' } };
    expect((await ask(client, other, 3)).codes).toEqual(['PERSISTED_DOCUMENT_NOT_FOUND']);
    expect((await ask(client, inboxText, 2)).codes).toEqual(['FORBIDDEN']); // without an ID, urql sends the text
  });
});

describe('Relay', () => {
  it('executes only the documents of its compiler', async () => {
    const config = JSON.parse(blockOf('persisted-documents.md', 'relay-config'));
    // Relay requires that operations are named after their modules.
    const { folder, load, remove } = await compileRelay(
      {
        Inbox: inboxText.replaceAll('Row', 'Inbox_row').replace('Inbox', 'InboxQuery'),
        Removal: removalText.replace('Removal', 'RemovalMutation'),
      },
      config,
    );
    onTestFinished(remove);
    const manifest = join(folder, config.persistConfig.file);
    const ids = Object.keys(JSON.parse(await readFile(manifest, 'utf8')));
    const { gateway, sent, url } = await start(manifest);
    const environment = createRelayClient(url);

    const query = await load<ConcreteRequest>('InboxQuery');
    expect(ids).toContain(query.params.id);
    const data = await fetchQuery(environment, query, { first: 2 }).toPromise();
    expect(data).toMatchObject({ documents: { nodes: [{}, {}] } });
    const mutation = await load<ConcreteRequest>('RemovalMutation');
    const answer = await new Promise((resolve, reject) => {
      const config = { mutation, variables: removed, onCompleted: resolve, onError: reject };
      commitMutation(environment, config);
    });
    expect(answer).toMatchObject(expectedRemoval);
    expect(sent).toEqual(['POST documentId', 'POST documentId']);

    const other = { ...query, params: { ...query.params, id: 'another' } } as ConcreteRequest;
    await expect(fetchQuery(environment, other, { first: 2 }).toPromise()).rejects.toThrow(
      'does not exist',
    );
    const { post } = persistedClient(gateway);
    expect((await post({ query: inboxText, variables: { first: 2 } })).status).toBe(403);
  });
});
