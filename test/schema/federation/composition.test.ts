import { readFileSync } from 'node:fs';
import { composeServices as composeWithApollo } from '@apollo/composition';
import {
  composeServices as composeWithGuild,
  compositionHasErrors,
} from '@theguild/federation-composition';
import { buildSchema, isObjectType, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { startGateway, type GatewayConfig } from '../../../src/index.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

declare module '../../../src/index.ts' {
  interface TeamScalars {
    Money: { Input: number; Output: number };
  }
}

/** Refers to an entity of each type by each of its keys, and adds a field to it. */
const entityKeys = {
  Document: ['id: ID!', 'fullId: ObjectID!'],
  DocumentResponse: ['id: ID!', 'fullId: ObjectID!'],
  Form: ['id: ID!', 'fullId: ObjectID!'],
  ListValue: ['id: ID!', 'fullId: ObjectID!'],
  Organization: ['id: ID!', 'fullId: ObjectID!'],
  OrgUnit: ['id: ID!', 'systemId: String!'],
  Person: ['id: ID!', 'systemId: String!'],
};

const subgraphWith = (key: 0 | 1): string => `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])
  scalar ObjectID
  type Query { notes: NotePage! }
  type NotePage { pageInfo: PageInfo! nodes: [Note!]! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Note { ${Object.keys(entityKeys)
    .map((type) => `on${type}: ${type}`)
    .join(' ')} }
  ${Object.entries(entityKeys)
    .map(([type, keys]) => {
      const [name] = keys[key]!.split(':');
      return `type ${type} @key(fields: "${name}") { ${keys[key]} remarks: [Note!]! }`;
    })
    .join('\n')}
`;

/** Adds a type of every kind, with everything that the language allows of it. */
const schema: GatewayConfig['schema'] = (builder, { DocumentRef }) => {
  builder.scalarType('Money', { specifiedByURL: 'https://money.test', serialize: String });
  const Level = builder.enumType('Level', {
    values: { LOW: {}, HIGH: { deprecationReason: 'Use LOW.' } } as const,
  });
  const Filter = builder.inputType('RiskFilter', {
    isOneOf: true,
    fields: (t) => ({ level: t.field({ type: Level }), text: t.string() }),
  });
  const Named = builder.interfaceRef<{ name: string }>('Named').implement({
    resolveType: () => 'Risk',
    fields: (t) => ({ name: t.exposeString('name') }),
  });
  const Rated = builder.interfaceRef<{ name: string }>('Rated').implement({
    interfaces: [Named],
    resolveType: () => 'Risk',
    fields: (t) => ({ rate: t.field({ type: 'Money', resolve: () => 1 }) }),
  });
  const Risk = builder.objectRef<{ name: string }>('Risk').implement({
    interfaces: [Named, Rated],
    fields: (t) => ({ level: t.field({ type: Level, nullable: true, resolve: () => null }) }),
  });
  const Subject = builder.unionType('Subject', {
    types: [Risk, DocumentRef],
    resolveType: () => 'Risk',
  });
  builder.objectField(DocumentRef, 'risks', (t) =>
    t.field({
      type: [Rated],
      args: {
        filter: t.arg({ type: Filter }),
        levels: t.arg({ type: [Level], defaultValue: ['LOW'] }),
        old: t.arg.int({ deprecationReason: 'Use levels.' }),
      },
      resolve: () => [],
    }),
  );
  builder.mutationField('rate', (t) =>
    t.field({
      type: Subject,
      args: { filter: t.arg({ type: Filter, required: true }) },
      resolve: () => ({ name: 'a' }),
    }),
  );
  builder.subscriptionField('rated', (t) =>
    t.string({ subscribe: async function* () {}, resolve: () => '' }),
  );
};

function compose(tool: 'apollo' | 'guild', ...sdls: readonly string[]): string {
  const services = sdls.map((sdl, index) => ({
    name: `subgraph${index}`,
    url: `http://subgraph${index}.test`,
    typeDefs: parse(sdl),
  }));
  const result = tool === 'apollo' ? composeWithApollo(services) : composeWithGuild(services);
  const messages = (result.errors ?? []).map(({ message }) => message);
  expect(messages).toEqual([]);
  return result.supergraphSdl!;
}

/** What `_service { sdl }` returns on the sandbox, whose forms are typed. */
async function servedBy(config: GatewayConfig): Promise<string> {
  await using gateway = await startGateway({ FEDERATION: 'on' }, { config });
  const response = await fetch(gateway.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data } = (await response.json()) as { data: { _service: { sdl: string } } };
  return data._service.sdl;
}

describe.each(['apollo', 'guild'] as const)('composition by %s', (tool) => {
  it('takes typed forms and all kinds of types of a team', async () => {
    const sdl = await servedBy({ schema });
    expect(sdl).toContain('input DocumentFieldsInput {\n');
    expect(sdl).toContain('input RiskFilter {\n');
    for (const sdls of [[sdl], [sdl, subgraphWith(0)]]) {
      const types = buildSchema(compose(tool, ...sdls), { assumeValidSDL: true }).getTypeMap();
      const names = ['InvoiceFields', 'DocumentFieldsInput', 'RiskFilter', 'Rated', 'Subject'];
      expect(Object.keys(types)).toEqual(expect.arrayContaining(names));
    }
  });

  it('takes the subgraph alone', () => {
    expect(compose(tool, read('schema.federation.graphql'))).toContain('type Document');
  });

  it.each([0, 1] as const)('joins a subgraph that refers by key %i of every entity', (key) => {
    const sdl = compose(tool, read('schema.federation.graphql'), subgraphWith(key));
    const types = buildSchema(sdl, { assumeValidSDL: true }).getTypeMap();
    for (const name of Object.keys(entityKeys)) {
      const type = types[name];
      expect(isObjectType(type) && Object.keys(type.getFields())).toContain('remarks');
    }
  });
});

it('fails for a subgraph that does not fit, so that the tests above can fail', () => {
  const wrong = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])
    type Query { a: Document }
    type Document @key(fields: "shortId") { shortId: String tags: [String!]! }
  `;
  const services = [read('schema.federation.graphql'), wrong].map((sdl, index) => ({
    name: `subgraph${index}`,
    typeDefs: parse(sdl),
  }));
  expect(composeWithApollo(services).errors).not.toHaveLength(0);
  expect(compositionHasErrors(composeWithGuild(services))).toBe(true);
});
