import { CombinedGraphQLErrors, gql, type InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startGateway, startGatewayOnSandbox } from '../helpers/gateway.ts';
import * as apollo from '../../examples/clients/uploads/apollo.ts';
import * as urql from '../../examples/clients/uploads/urql.ts';

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

const creation = gql`
  mutation Creation($fields: DocumentFieldsInput!) {
    createDocument(input: { form: "invoice", fields: $fields }) {
      ... on CreateDocumentPayload {
        document {
          id
          invoice {
            number
            total
          }
        }
      }
    }
  }
`;
const created = { invoice: { number: 'RE-1', total: '2587.10', supplier: 'erp-0001' } };
interface Created {
  readonly createDocument: { readonly document: { readonly id: string; readonly invoice: object } };
}
const rows = gql`
  query Rows($id: ID!) {
    document(id: $id) {
      id
      invoice {
        supplier {
          id
          name
        }
        lines {
          article
        }
      }
    }
  }
`;

describe('Apollo Client', () => {
  it('writes typed forms, and keeps their fields of several operations', async () => {
    const warn = vi.spyOn(console, 'error');
    onTestFinished(() => warn.mockRestore());
    const client = apollo.connect(await sandboxed());
    const cache = client.cache as InMemoryCache;
    cache.policies.addTypePolicies({ InvoiceFields: { merge: true } });
    const { data } = await client.mutate<Created>({
      mutation: creation,
      variables: { fields: created },
    });
    const { id, invoice } = data!.createDocument.document;
    expect(invoice).toMatchObject({ number: 'RE-1', total: '2587.10' });
    await client.query({ query: rows, variables: { id } });
    expect(cache.extract()[`Document:${id}`]).toMatchObject({
      invoice: { number: 'RE-1', lines: null, supplier: { __ref: expect.any(String) } },
    });
    expect(warn).not.toHaveBeenCalled();
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
  it('writes and reads typed forms', async () => {
    const client = urql.connect(await sandboxed());
    const { data } = await client.mutation<Created>(creation, { fields: created }).toPromise();
    const { id, invoice } = data!.createDocument.document;
    expect(invoice).toMatchObject({ number: 'RE-1', total: '2587.10' });
    const read = await client.query(rows, { id }).toPromise();
    expect(read.error).toBeUndefined();
    expect(read.data).toMatchObject({
      document: { invoice: { lines: null, supplier: { name: expect.any(String) } } },
    });
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
