import { readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { buildSchema, isObjectType, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../../../src/index.ts';
import { federation } from '../../../src/features/federation/index.ts';
import { readConfig } from '../../../src/features/settings.ts';
import { printServedSchema } from '../../../src/startup/commands.ts';
import config from './gateway.config.ts';

/** What the command `schema` prints with the forms of the sandbox and the configuration beside this file. */
let extended = '';

beforeAll(async () => {
  const option = federation.schemaOption!;
  extended = await printServedSchema(readConfig({}), config, '.', { option, files: [] });
});

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

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
  scalar DateTime
  type NotePage { pageInfo: PageInfo! nodes: [Note!]! }
  type Meta @shareable { createdAt: DateTime modifiedAt: DateTime revision: Int }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Note { meta: Meta ${Object.keys(entityKeys)
    .map((type) => `on${type}: ${type}`)
    .join(' ')} }
  ${Object.entries(entityKeys)
    .map(([type, keys]) => {
      const [name] = keys[key]!.split(':');
      return `type ${type} @key(fields: "${name}") { ${keys[key]} remarks: [Note!]! }`;
    })
    .join('\n')}
`;

function compose(...sdls: readonly string[]): string {
  const services = sdls.map((sdl, index) => ({
    name: `subgraph${index}`,
    url: `http://subgraph${index}.test`,
    typeDefs: parse(sdl),
  }));
  const result = composeServices(services);
  const messages = (result.errors ?? []).map(({ message }) => message);
  expect(messages).toEqual([]);
  return result.supergraphSdl!;
}

it('is tested with what a gateway with typed forms and own fields prints and returns', async () => {
  await using gateway = await startGateway({ FEDERATION: 'on' }, { config });
  const response = await fetch(gateway.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  expect(await response.json()).toEqual({ data: { _service: { sdl: extended } } });
  expect(extended).toContain('input DocumentFieldsInput {\n');
  expect(extended).toContain('input RiskFilter {\n');
});

describe('composition', () => {
  it('takes typed forms and all kinds of types of a team', () => {
    for (const sdls of [[extended], [extended, subgraphWith(0)]]) {
      const types = buildSchema(compose(...sdls), { assumeValidSDL: true }).getTypeMap();
      const names = ['InvoiceFields', 'DocumentFieldsInput', 'RiskFilter', 'Rated', 'Subject'];
      expect(Object.keys(types)).toEqual(expect.arrayContaining(names));
    }
  });

  it.each([0, 1] as const)('joins a subgraph that refers by key %i of every entity', (key) => {
    const sdl = compose(read('schema.federation.graphql'), subgraphWith(key));
    const types = buildSchema(sdl, { assumeValidSDL: true }).getTypeMap();
    for (const name of Object.keys(entityKeys)) {
      const type = types[name];
      expect(isObjectType(type) && Object.keys(type.getFields())).toContain('remarks');
    }
  });
});
