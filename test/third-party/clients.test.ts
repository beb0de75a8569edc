import { CombinedGraphQLErrors, gql } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { startGateway, startGatewayOnSandbox } from '../helpers/gateway.ts';
import * as apollo from './clients/apollo.ts';
import * as urql from './clients/urql.ts';

const inbox = gql`
  query Inbox($first: Int!) {
    documents(view: INBOX, first: $first) {
      nodes {
        id
        author {
          __typename
          systemId
          ... on Person {
            id
            fullName
          }
        }
      }
    }
  }
`;
const expectedInbox = {
  documents: {
    nodes: [
      { id: expect.any(String), author: { __typename: 'Person', fullName: expect.any(String) } },
      { id: expect.any(String) },
    ],
  },
};

const removal = gql`
  mutation Removal {
    deleteOrganization(input: { id: "0000000000000000000000ff" }) {
      __typename
      ... on Error {
        message
      }
    }
  }
`;
const expectedRemoval = {
  deleteOrganization: { __typename: 'NotFoundError', message: 'There is no such organization.' },
};

/** A query of which one branch fails. */
const half = gql`
  query Half {
    viewer {
      runAs
    }
    document(id: "DOC-0001") {
      id
    }
  }
`;

describe('Apollo Client', () => {
  it('reads pages and fragments on interfaces', async () => {
    const { data } = await apollo
      .connect(await sandboxed())
      .query({ query: inbox, variables: { first: 2 } });
    expect(data).toMatchObject(expectedInbox);
  });

  it('distinguishes the members of a result', async () => {
    const { data } = await apollo.connect(await sandboxed()).mutate({ mutation: removal });
    expect(data).toMatchObject(expectedRemoval);
  });

  it('gets error codes with partial data', async () => {
    const client = apollo.connect(await failing());
    const { data, error } = await client.query({ query: half, errorPolicy: 'all' });
    expect(data).toMatchObject({ viewer: { runAs: null }, document: null });
    expect(CombinedGraphQLErrors.is(error) && error.errors).toMatchObject([
      { path: ['document'], extensions: { code: 'UPSTREAM_ERROR' } },
    ]);
  });
});

describe('urql', () => {
  it('reads pages and fragments on interfaces', async () => {
    const { data, error } = await urql
      .connect(await sandboxed())
      .query(inbox, { first: 2 })
      .toPromise();
    expect(error).toBeUndefined();
    expect(data).toMatchObject(expectedInbox);
  });

  it('reads by GET with the header', async () => {
    const methods: (string | undefined)[] = [];
    const client = new Client({
      url: await sandboxed(),
      exchanges: [fetchExchange],
      fetchOptions: { headers: { 'apollo-require-preflight': 'true' } },
      fetch: (address, init) => {
        methods.push(init?.method);
        return fetch(address, init);
      },
    });
    const { data } = await client.query(inbox, { first: 2 }).toPromise();
    expect(data).toMatchObject(expectedInbox);
    expect(methods).toEqual(['GET']);
  });

  it('distinguishes the members of a result', async () => {
    const { data } = await urql
      .connect(await sandboxed())
      .mutation(removal, {})
      .toPromise();
    expect(data).toMatchObject(expectedRemoval);
  });

  it('gets error codes with partial data', async () => {
    const { data, error } = await urql
      .connect(await failing())
      .query(half, {})
      .toPromise();
    expect(data).toMatchObject({ viewer: { runAs: null }, document: null });
    expect(error?.graphQLErrors).toMatchObject([
      { path: ['document'], extensions: { code: 'UPSTREAM_ERROR' } },
    ]);
  });
});

async function sandboxed(): Promise<string> {
  const { url } = await startGatewayOnSandbox();
  return `${url}/graphql`;
}

async function failing(): Promise<string> {
  const { dms, url } = await startGateway();
  dms.reply('GET', /./, 'out of order', { status: 500 });
  return `${url}/graphql`;
}
