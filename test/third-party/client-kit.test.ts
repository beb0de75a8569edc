import { gql } from '@apollo/client';
import { fetchQuery, type ConcreteRequest } from 'relay-runtime';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRelayFetch } from '../../src/clients/index.ts';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';
import * as apollo from '../../examples/clients/start/apollo.ts';
import * as relay from '../../examples/clients/start/relay.ts';
import * as urql from '../../examples/clients/start/urql.ts';

/** Selects interfaces, unions, types without IDs, and types whose ID is not a key. */
const query = gql(`query Everything {
  viewer { runAs }
  documents(first: 100, orderBy: { field: DATE_CREATED }) {
    totalCount
    nodes {
      id
      author { __typename id displayName ... on Person { deputy { enabled } } }
      meta { revision }
      values { tag ... on TextValue { text } ... on TableValue { rows } }
      files { id name }
      recoData { id form { id name } result { confidence } }
      refByDocs(first: 2) { edges { cursor node { id } } pageInfo { hasNextPage } }
    }
  }
}`);

const mutation = gql(`mutation Removal {
  deleteOrganization(input: { id: "0000000000000000000000ff" }) {
    ... on Error { message }
    ... on DeleteOrganizationResult { __typename }
  }
}`);
const removal = {
  deleteOrganization: { __typename: 'NotFoundError', message: 'There is no such organization.' },
};

const consoleMethods = ['warn', 'error', 'log', 'info'] as const;

beforeEach(() => {
  for (const name of consoleMethods) vi.spyOn(console, name);
});

afterEach(() => vi.unstubAllGlobals());

/** Clients report a cache that they cannot normalize to the console. */
function expectNoReports(): void {
  for (const name of consoleMethods) expect(console[name]).not.toHaveBeenCalled();
}

interface Everything {
  readonly documents: {
    readonly nodes: readonly { id: string; author: { __typename: string; displayName: string } }[];
  };
}

function expectEverything(data: unknown): void {
  const { nodes } = (data as Everything).documents;
  expect(nodes).toHaveLength(100);
  const types = new Set(nodes.map(({ author }) => author.__typename));
  expect(types).toEqual(new Set(['Person', 'ServiceAccount']));
  for (const { author } of nodes) expect(author.displayName).toMatch(/\w/);
}

it('gives Apollo Client its possible types and type policies', async () => {
  const { url } = await startGatewayOnSandbox();
  const client = apollo.createClient(`${url}/graphql`);
  const { data } = await client.query({ query });
  expectEverything(data);
  expect(client.readQuery({ query })).toEqual(data as object);
  expect((await client.mutate({ mutation })).data).toEqual(removal);
  const keyed = new Set(
    Object.keys(client.cache.extract() as object).map((key) => key.split(':')[0]),
  );
  expect(keyed).toEqual(
    new Set(['Document', 'Person', 'ServiceAccount', 'ROOT_QUERY', 'ROOT_MUTATION']),
  );
  expectNoReports();
});

it('gives urql its schema and keys, and its client works on the first query, in Node too', async () => {
  const { url } = await startGatewayOnSandbox();
  const client = urql.createClient(`${url}/graphql`);
  const { data, error } = await client.query(query, {}).toPromise();
  expect(error).toBeUndefined();
  expectEverything(data);
  const again = await client.query(query, {}, { requestPolicy: 'cache-only' }).toPromise();
  expect(again.data).toEqual(data);
  expect(again.stale).toBe(false);
  expect((await client.mutation(mutation, {}).toPromise()).data).toMatchObject(removal);
  expectNoReports();
});

const createSink = () => ({
  next: vi.fn<(payload: object) => void>(),
  error: vi.fn<(error: Error) => void>(),
  complete: vi.fn<() => void>(),
});

/** The part of an artifact of relay-compiler that the network needs. */
const viewerRequest = {
  kind: 'Request',
  fragment: {
    kind: 'Fragment',
    name: 'Viewer',
    type: 'Query',
    argumentDefinitions: [],
    metadata: null,
    selections: [],
  },
  operation: { kind: 'Operation', name: 'Viewer', argumentDefinitions: [], selections: [] },
  params: {
    cacheID: 'viewer',
    id: null,
    metadata: {},
    name: 'Viewer',
    operationKind: 'query',
    text: 'query Viewer { viewer { runAs } }',
  },
} as unknown as ConcreteRequest;

it('gives Relay its network', async () => {
  const { url, requests } = await startGatewayOnSandbox();
  const environment = relay.createClient(`${url}/graphql`);
  await fetchQuery(environment, viewerRequest, {}).toPromise();
  expect(requests).toEqual([]);
  const sink = createSink();
  const headers = () => ({ 'svc-run-as': 'usr-ann' });
  createRelayFetch(`${url}/graphql`, { headers })(viewerRequest.params, {}).subscribe(sink);
  await expect.poll(() => sink.complete.mock.calls).toHaveLength(1);
  // A gateway with a service account rejects the header: it was sent.
  expect(sink.next.mock.calls).toMatchObject([
    [{ errors: [{ extensions: { code: 'FORBIDDEN' } }] }],
  ]);
  expectNoReports();
});

it('reports to Relay a response that is not JSON, and nothing after it has unsubscribed', async () => {
  const sink = createSink();
  const answer = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  createRelayFetch('/graphql', { fetch: answer })(viewerRequest.params, {}).subscribe(sink);
  await expect.poll(() => sink.error.mock.calls).toHaveLength(1);
  expect(sink.error.mock.calls[0]![0]).toEqual(
    new Error('The response has the status 502 and is not JSON.'),
  );

  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const never = (_url: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init!.signal!.addEventListener('abort', () => {
        reject(new Error('aborted'));
        resolve();
      });
    });
  const unused = createSink();
  const request = createRelayFetch('/graphql', { fetch: never })(viewerRequest.params, {});
  request.subscribe(unused).unsubscribe();
  await aborted;
  for (const called of Object.values(unused)) expect(called).not.toHaveBeenCalled();
  expect(sink.next).not.toHaveBeenCalled();
});
