import { readFileSync } from 'node:fs';
import { findBreakingChanges, findDangerousChanges, GraphQLSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSubgraphSchema } from '../../../src/features/federation/subgraph-schema.ts';
import { toGlobalId } from '../../../src/schema/ids.ts';
import { schema } from '../../helpers/served-schema.ts';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { everyResource } from '../../helpers/resources.ts';
import { answersInParts, mergeParts, queryParts } from '../../helpers/result-parts.ts';

const fullId = (n: number): string => `65f000005eed00d0${n.toString(16).padStart(8, '0')}`;
const A = fullId(10);
const B = fullId(11);

const entities = (selection: string) =>
  `query ($refs: [_Any!]!) { _entities(representations: $refs) { ${selection} } }`;

function startSubgraph({ server, ...options }: TestGatewayOptions = {}) {
  return startGateway({ ...options, server: { federation: true, ...server } });
}

describe('the schema', () => {
  const subgraph = createSubgraphSchema(schema, { introspection: true });

  it('keeps everything that the schema has without federation', () => {
    expect(subgraph).toBeInstanceOf(GraphQLSchema);
    const changes = [
      ...findBreakingChanges(schema, subgraph),
      ...findDangerousChanges(schema, subgraph),
    ];
    expect(changes).toEqual([]);
  });

  it('is served only if the setting is on', async () => {
    const { query } = await startGateway();
    const { errors } = await query('{ _service { sdl } }');
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });

  it('is printed in schema.federation.graphql, and returned as it is there', async () => {
    const { query } = await startSubgraph();
    const { data } = await query('{ _service { sdl } }');
    const file = new URL('../../../schema.federation.graphql', import.meta.url);
    const printed = { _service: { sdl: readFileSync(file, 'utf8') } };
    expect(data, 'run `npm run update`').toEqual(printed);
  });

  it('is not returned if introspection is off', async () => {
    const { query, dms } = await startSubgraph({ server: { introspection: false } });
    const { errors } = await query('{ _service { sdl } }');
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, _id_web: 'D' });
    const refs = [{ __typename: 'Document', fullId: A }];
    const { data } = await query(entities('... on Document { shortId }'), { refs });
    expect(data).toEqual({ _entities: [{ shortId: 'D' }] });
  });
});

describe('a reference', () => {
  it.each(everyResource)(
    'to a $type is resolved by its global id and its $key',
    async ({ type, key, id, field, path, query: suffix, wire }) => {
      const { query, dms } = await startSubgraph();
      dms.reply('GET', path, wire);
      const refs = [
        { __typename: type, id: toGlobalId(type, id) },
        { __typename: type, [key]: id },
      ];
      const selection = `__typename ... on ${type} { id ${key} ${field} }`;
      const { data, errors } = await query(entities(selection), { refs });
      expect(errors).toBeUndefined();
      const entity = {
        __typename: type,
        id: toGlobalId(type, id),
        [key]: id,
        [field]: 'found',
      };
      expect(data).toEqual({ _entities: [entity, entity] });
      expect(dms.requests).toEqual([`GET ${path}${suffix}`]);
    },
  );

  it.each(everyResource)('to a $type costs nothing if only keys are selected', async (one) => {
    const { type, key, id } = one;
    const { query, dms } = await startSubgraph();
    const refs = [
      { __typename: type, [key]: id },
      { __typename: type, id: toGlobalId(type, id) },
    ];
    const selection = `__typename ... on ${type} { id ${key} }`;
    const { data } = await query(entities(selection), { refs });
    const entity = { __typename: type, id: toGlobalId(type, id), [key]: id };
    expect(data).toEqual({ _entities: [entity, entity] });
    expect(dms.requests).toEqual([]);
  });

  describe.runIf(answersInParts)('in parts', () => {
    it.each(everyResource)('to a $type is read for its deferred fields', async (one) => {
      const { type, key, id, field, path, query: suffix, wire } = one;
      const gateway = await startSubgraph();
      gateway.dms.reply('GET', path, wire);
      const query = entities(`... on ${type} { ${key} } ... on ${type} @defer { id ${field} }`);
      const variables = { refs: [{ __typename: type, [key]: id }] };
      const parts = await queryParts(gateway, query, { variables });
      expect(parts[0]).toMatchObject({ data: { _entities: [{ [key]: id }] }, hasNext: true });
      const entity = { id: toGlobalId(type, id), [key]: id, [field]: 'found' };
      expect(mergeParts(parts)).toEqual({ data: { _entities: [entity] }, errors: [] });
      expect(gateway.dms.requests).toEqual([`GET ${path}${suffix}`]);
    });

    it.each(everyResource)('to a $type finds exactly its $key', async (one) => {
      const { type, key, id, field, path, query: suffix, wire } = one;
      const gateway = await startSubgraph();
      const other = key === 'fullId' ? { _id: B } : { _id_sys: `${id}-other` };
      gateway.dms.reply('GET', path, { ...wire, ...other });
      const query = entities(`... on ${type} { ${key} } ... on ${type} @defer { ${field} }`);
      const variables = { refs: [{ __typename: type, [key]: id }] };
      const parts = await queryParts(gateway, query, { variables });
      expect(JSON.stringify(mergeParts(parts).data)).not.toContain('found');
      expect(gateway.dms.requests).toEqual([`GET ${path}${suffix}`]);
    });
  });

  it.each(everyResource)('to a $type finds exactly its $key', async (one) => {
    const { type, key, id, field, path, wire } = one;
    const gateway = await startSubgraph();
    // The DMS also finds objects by other IDs, such as an external ID that looks like a key.
    const other = key === 'fullId' ? { _id: B } : { _id_sys: `${id}-other` };
    gateway.dms.reply('GET', path, { ...wire, ...other });
    const refs = [
      { __typename: type, [key]: id },
      { __typename: type, id: toGlobalId(type, id) },
    ];
    const { data, errors } = await gateway.query(entities(`... on ${type} { ${key} ${field} }`), {
      refs,
    });
    expect({ data, errors }).toEqual({ data: { _entities: [null, null] } });
  });

  it.each(everyResource.filter(({ id }) => id !== id.toUpperCase() && !id.startsWith('usr-')))(
    'to a $type takes a hexadecimal ID in upper case',
    async ({ type, key, id, field, path, query: suffix, wire }) => {
      const { query, dms } = await startSubgraph();
      dms.reply('GET', path, wire);
      const upper = id.replaceAll(/[a-f]/g, (character) => character.toUpperCase());
      const refs = [
        { __typename: type, [key]: upper },
        { __typename: type, id: toGlobalId(type, upper) },
      ];
      const entity = { id: toGlobalId(type, id), [key]: id };
      for (const [selection, found] of [
        [`id ${key}`, entity],
        [`id ${key} ${field}`, { ...entity, [field]: 'found' }],
      ] as const) {
        const { data } = await query(entities(`... on ${type} { ${selection} }`), { refs });
        expect(data).toEqual({ _entities: [found, found] });
      }
      expect(dms.requests).toEqual([`GET ${path}${suffix}`]);
    },
  );

  it('can stand in the query document itself', async () => {
    const { query, dms } = await startSubgraph();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, _id_web: 'D' });
    const { data } = await query(
      `query ($id: String!) { _entities(representations: [{ __typename: "Document", fullId: $id }]) { ... on Document { shortId } } }`,
      { id: A },
    );
    expect(data).toEqual({ _entities: [{ shortId: 'D' }] });
  });

  it('to an object that the DMS does not find is null without an error', async () => {
    const { query, dms } = await startSubgraph();
    dms.reply('GET', `/api/v2/docForm/${A}`, '', { status: 404 });
    dms.reply('GET', `/api/v2/docForm/${B}`, { _id: B, _id_web: 'B' });
    const refs = [A, B].map((id) => ({ __typename: 'Document', fullId: id }));
    const { data, errors } = await query(entities('... on Document { shortId }'), { refs });
    expect({ data, errors }).toEqual({ data: { _entities: [null, { shortId: 'B' }] } });
  });

  it('that fails is null and leaves the others alone', async () => {
    const { query, dms } = await startSubgraph();
    dms.reply('GET', `/api/v2/docForm/${A}`, '', { status: 403 });
    dms.reply('GET', `/api/v2/docForm/${B}`, { _id: B, _id_web: 'B' });
    const refs = [A, B].map((id) => ({ __typename: 'Document', fullId: id }));
    const { data, errors } = await query(entities('... on Document { shortId }'), { refs });
    expect(data).toEqual({ _entities: [null, { shortId: 'B' }] });
    expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'FORBIDDEN' } }]);
  });

  it('never makes the DMS create a response', async () => {
    const { query, dms } = await startSubgraph();
    dms.reply('GET', `/api/v2/docResponse/${A}`, { _id: A, docForm: B, content: 'yes' });
    dms.reply('GET', `/api/v2/docForm/${B}`, { _id: B, _id_web: 'B' });
    const refs = [
      { __typename: 'DocumentResponse', fullId: A },
      { __typename: 'Document', fullId: B },
    ];
    const { data } = await query(
      entities('... on DocumentResponse { content } ... on Document { shortId }'),
      { refs },
    );
    expect(data).toEqual({ _entities: [{ content: 'yes' }, { shortId: 'B' }] });
    expect(dms.requests.toSorted()).toEqual([
      `GET /api/v2/docForm/${B}?fields=_id,_id_web`,
      `GET /api/v2/docResponse/${A}`,
    ]);
  });
});

describe('references', () => {
  it('to 20 documents, 50 of them and in several fields, cost 20 requests with the union of their needs', async () => {
    const { query, dms } = await startSubgraph();
    dms.reply('GET', /\/docForm\//, ({ path }) => {
      const id = /docForm\/(\w+)/.exec(path)![1]!;
      return { _id: id, _id_web: `D-${id}`, state: 3, _tags: ['x'], filesList: [] };
    });
    const ids = Array.from({ length: 20 }, (_, n) => fullId(n));
    const refs = Array.from({ length: 50 }, (_, n) => {
      const id = ids[n % 20]!;
      return n % 3 === 0
        ? { __typename: 'Document', id: toGlobalId('Document', id) }
        : { __typename: 'Document', fullId: id };
    });
    const { data, errors } = await query(
      `query ($refs: [_Any!]!) {
        a: _entities(representations: $refs) { ... on Document { shortId state } }
        b: _entities(representations: $refs) { ...B }
      }
      fragment B on Document { tags files { name } }`,
      { refs },
    );
    expect(errors).toBeUndefined();
    expect((data as { a: { shortId: string }[] }).a.map(({ shortId }) => shortId)).toEqual(
      refs.map((_, n) => `D-${ids[n % 20]}`),
    );
    expect(data.b).toEqual(refs.map(() => ({ tags: ['x'], files: [] })));
    expect(dms.requests.toSorted()).toEqual(
      ids.map(
        (id) =>
          `GET /api/v2/docForm/${id}?fields=_id,_id_web,state,_tags,filesList,id,fileName&embed=filesList`,
      ),
    );
  });

  it('of two users at the same time stay apart', async () => {
    const { query, dms } = await startSubgraph({
      server: { identity: { mode: 'passthrough' }, credential: null },
      http: { cacheTtlMs: 60_000 },
    });
    const waiting: (() => void)[] = [];
    const answer = async (wire: (who: string) => object, who: string) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 4) for (const release of waiting) release();
      });
      return wire(who);
    };
    dms.reply('GET', /\/docForm\//, ({ headers }) =>
      answer((who) => ({ _id: A, _id_web: who }), headers['authorization']!),
    );
    dms.reply('GET', /\/person\//, ({ headers }) =>
      answer((who) => ({ _id_sys: 'usr-x', email: who }), headers['authorization']!),
    );
    const refs = [
      { __typename: 'Document', fullId: A },
      { __typename: 'Person', systemId: 'usr-x' },
    ];
    const ask = async (authorization: string) => {
      const selection = '... on Document { shortId } ... on Person { email }';
      return (await query(entities(selection), { refs }, { authorization })).data as unknown;
    };
    const answers = await Promise.all([ask('Bearer ann'), ask('Bearer bob')]);
    expect(answers).toEqual(
      ['Bearer ann', 'Bearer bob'].map((who) => ({
        _entities: [{ shortId: who }, { email: who }],
      })),
    );
    expect(dms.requests).toHaveLength(4);
  });
});

describe('a representation that names no entity', () => {
  const hostile: readonly (readonly [string, unknown])[] = [
    ['without a type', { id: toGlobalId('Document', A) }],
    ['of no entity type', { __typename: 'File', id: A }],
    ['with a type of Object.prototype', { __typename: 'constructor', id: A }],
    ['with the type __proto__', { __typename: '__proto__', id: A }],
    ['with a type that is not text', { __typename: ['Document'], fullId: A }],
    ['without a key', { __typename: 'Document' }],
    ['with null keys', { __typename: 'Document', id: null, fullId: null }],
    ['with a global id of another type', { __typename: 'Document', id: toGlobalId('Form', A) }],
    ['with a full id for the global id', { __typename: 'Document', id: A }],
    [
      'with a global id for the full id',
      { __typename: 'Document', fullId: toGlobalId('Document', A) },
    ],
    ['with a short id', { __typename: 'Document', fullId: 'DOC-0001' }],
    [
      'with a short id in the global id',
      { __typename: 'Document', id: toGlobalId('Document', 'DOC-1') },
    ],
    ['with a path', { __typename: 'OrgUnit', systemId: '../person/usr-x' }],
    ['with a service account as a person', { __typename: 'Person', systemId: 'api-x' }],
    ['with a list', { __typename: 'Document', fullId: [A] }],
    ['with an endless id', { __typename: 'Document', id: 'R'.repeat(100_000) }],
    ['that is text', 'Document'],
    ['that is a list', [{ __typename: 'Document', fullId: A }]],
    [
      'with its key in __proto__',
      JSON.parse(`{"__typename":"Document","__proto__":{"fullId":"${A}"}}`),
    ],
    [
      'with its type in __proto__',
      JSON.parse(`{"fullId":"${A}","__proto__":{"__typename":"Document"}}`),
    ],
  ];

  it.each(hostile)('%s is null with an error at its place and costs nothing', async (_, wrong) => {
    const { query, dms } = await startSubgraph();
    dms.reply('GET', `/api/v2/docForm/${B}`, { _id: B, _id_web: 'B' });
    const refs = [wrong, { __typename: 'Document', fullId: B }];
    const { data, errors } = await query(entities('... on Document { shortId }'), { refs });
    expect(data).toEqual({ _entities: [null, { shortId: 'B' }] });
    expect(errors).toMatchObject([
      { path: ['_entities', 0], extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(errors![0]!.message.length).toBeLessThan(300);
    expect(dms.requests).toEqual([`GET /api/v2/docForm/${B}?fields=_id,_id_web`]);
  });

  it('has no say in what is answered: other properties are ignored', async () => {
    const { query, dms } = await startSubgraph();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, _id_web: 'true' });
    const refs = [
      { __typename: 'Document', fullId: A, shortId: 'forged', author: { systemId: 'usr-eve' } },
      { __typename: 'Document', id: toGlobalId('Document', A), fullId: B },
    ];
    const { data } = await query(entities('... on Document { fullId shortId }'), { refs });
    const entity = { fullId: A, shortId: 'true' };
    expect(data).toEqual({ _entities: [entity, entity] });
  });
});

describe('limits', () => {
  const refsTo = (count: number, type = 'Document') =>
    Array.from({ length: count }, (_, n) => ({ __typename: type, fullId: fullId(n) }));

  it('refuse more than 1000 representations before anything is sent', async () => {
    const { query, dms } = await startSubgraph();
    const selection = entities('... on Document { id }');
    const allowed = await query(selection, { refs: refsTo(1000) });
    expect(allowed.errors).toBeUndefined();
    for (const count of [1001, 10_000]) {
      const { data, errors } = await query(selection, { refs: refsTo(count) });
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    }
    expect(dms.requests).toEqual([]);
  });

  it('count the upstream calls of different entities before anything is sent', async () => {
    const { query, dms } = await startSubgraph({ server: { maxUpstreamCalls: 5 } });
    dms.reply('GET', /\/docForm\//, ({ path }) => ({ _id: /docForm\/(\w+)/.exec(path)![1] }));
    const selection = entities('... on Document { tags } ... on Form { id }');
    const refused = await query(selection, { refs: refsTo(6) });
    expect(refused.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }]);
    expect(dms.requests).toEqual([]);
    // The same again, wrong ones, and those of which only keys are selected cost nothing.
    const refs = [...refsTo(5), ...refsTo(5), ...refsTo(9, 'Form'), { __typename: 'Nothing' }];
    const { data } = await query(selection, { refs });
    expect(data._entities).toHaveLength(20);
    expect(dms.requests).toHaveLength(5);
  });

  it('count what is selected below entities for each of their type', async () => {
    const { query, dms } = await startSubgraph({ server: { maxUpstreamCalls: 50 } });
    const selection = entities(
      '... on Document { refByDocs(first: 20) { nodes { shortId } } } ... on Person { id }',
    );
    const persons = Array.from({ length: 90 }, (_, n) => ({
      __typename: 'Person',
      systemId: `usr-${n}`,
    }));
    dms.reply('GET', /\/docForm\//, ({ path }) => ({
      _id: /docForm\/(\w+)/.exec(path)![1],
      refByDocs: [],
    }));
    // 2 documents, and 20 referring ones of each.
    const allowed = await query(selection, { refs: [...refsTo(2), ...persons] });
    expect(allowed.errors).toBeUndefined();
    const sent = dms.requests.length;
    const refused = await query(selection, { refs: refsTo(3) });
    expect(refused.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }]);
    expect(dms.requests).toHaveLength(sent);
  });

  it('refuse more than 1000 representations in all aliases', async () => {
    const { query } = await startSubgraph();
    const text = `query ($refs: [_Any!]!) {
      a: _entities(representations: $refs) { ... on Document { id } }
      b: _entities(representations: $refs) { ... on Document { id } }
    }`;
    const allowed = await query(text, { refs: refsTo(500) });
    expect(allowed.errors).toBeUndefined();
    const refused = await query(text, { refs: refsTo(501) });
    expect(refused.errors).toMatchObject([{ path: ['b'], extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});
