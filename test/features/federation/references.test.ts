import { describe, expect, it } from 'vitest';
import { defineGateway } from '../../../src/index.ts';
import { RateLimiter } from '../../../src/rest/client/limits/rate-limiter.ts';
import { compiledAfter } from '../../helpers/execution-mode.ts';
import { startGateway, startGatewayOnSandbox } from '../../helpers/gateway.ts';

/* References beside what else a gateway has: fields of a team, limits, typed forms. */

const entities = (selection: string): string =>
  `query ($refs: [_Any!]!) { _entities(representations: $refs) { ${selection} } }`;

const id = '5f0000000000000000000001';
const otherId = '5f0000000000000000000002';

describe('a field of a team', () => {
  const { schema: extendSchema } = defineGateway({
    schema(builder, { DocumentRef }) {
      builder.objectField(DocumentRef, 'riskScore', (t) =>
        t.int({
          nullable: true,
          requires: ['author', 'step'],
          resolve: ({ author, step }) => (author === 'usr-ann' ? (step ?? null) : 100),
        }),
      );
    },
  });

  it.each([
    ['graphql-js', 0],
    ['compiled execution', 1],
  ])('joins the request for a reference with %s', async (_name, compileAfter) => {
    const { query, dms } = await startGateway({
      server: { ...compiledAfter(compileAfter), federation: true },
      parts: { extendSchema },
    });
    dms.reply('GET', /^\/api\/v2\/docForm\/[0-9a-f]{24}/, ({ path }) => ({
      _id: path.slice('/api/v2/docForm/'.length).slice(0, 24),
      step: 2,
      author: 'usr-ann',
    }));
    const refs = [id, otherId].map((fullId) => ({ __typename: 'Document', fullId }));
    const { data, errors } = await query(entities('... on Document { riskScore }'), { refs });
    expect(errors).toBeUndefined();
    expect(data).toEqual({ _entities: [{ riskScore: 2 }, { riskScore: 2 }] });
    expect(dms.requests.toSorted()).toEqual([
      `GET /api/v2/docForm/${id}?fields=_id,author,step`,
      `GET /api/v2/docForm/${otherId}?fields=_id,author,step`,
    ]);
    const sdl = await query('{ _service { sdl } }');
    expect(sdl.data._service.sdl).toContain('riskScore: Int');
  });
});

describe('RATE_LIMIT', () => {
  it('is an error for each reference if all of them are rejected', async () => {
    const { query, dms } = await startGateway({
      http: { rateLimiter: new RateLimiter({ callsPerMinute: 2 }) },
      server: { federation: true, rateLimit: 2 },
    });
    for (const id of ['usr-0', 'usr-1']) await query(`{ person(id: "${id}") { email } }`);
    const refs = ['usr-2', 'usr-3'].map((systemId) => ({ __typename: 'Person', systemId }));
    const { status, data, errors } = await query(entities('... on Person { email }'), { refs });
    // A router reads the errors of a 200.
    expect({ status, data }).toEqual({ status: 200, data: { _entities: [null, null] } });
    const refused = { extensions: { code: 'RATE_LIMITED', retryable: true } };
    expect(errors).toMatchObject([refused, refused]);
    expect(dms.requests).toHaveLength(2);
  });
});

describe('MAX_LIST_FIELDS', () => {
  it('counts the references before anything is read', async () => {
    const { query, dms } = await startGateway({
      server: { maxListFields: 1900, federation: true },
    });
    const refs = Array.from({ length: 1000 }, (_, i) => ({
      __typename: 'Document',
      fullId: i.toString(16).padStart(24, '5'),
    }));
    const { errors } = await query(entities('a: __typename b: __typename'), { refs });
    const message = expect.stringContaining('MAX_LIST_FIELDS allows 1900');
    expect(errors).toMatchObject([{ message, path: ['_entities'] }]);
    expect(dms.requests).toEqual([]);
  });
});

describe('typed forms', () => {
  it('take one form as a subgraph too, whose printed inputs do not say so', async () => {
    const { query, requests } = await startGatewayOnSandbox({ server: { federation: true } });
    const { errors } = await query(
      'mutation ($input: RespondToDocumentInput!) { respondToDocument(input: $input) { __typename } }',
      {
        input: {
          document: 'DOC-0191',
          action: 'APPROVE',
          fields: { invoice: { number: 'RE-1' }, leave: {} },
        },
      },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors![0]!.message).toMatch(/Exactly one key must be specified/);
    expect(requests).toEqual([]);
  });
});
