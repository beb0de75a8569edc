import {
  buildSchema,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../src/features/agents/json-schema.ts';
import { createTools, type Tool } from '../../../src/features/agents/tools.ts';
import { schema } from '../../../src/schema/index.ts';

/** The tools of these texts. Their IDs are their positions. */
function toolsOf(...texts: readonly string[]) {
  const entries = texts.map((text, id) => ({ id: String(id), text, description: null }));
  const { tools, omitted } = createTools({ schema, parse }, entries);
  return { tools: [...tools.values()], omitted };
}

/** The definition of a tool whose description is a comment. */
function definitionOf(text: string): Tool['definition'] {
  const { tools, omitted } = toolsOf(`# Description.\n${text}`);
  expect(omitted).toEqual([]);
  return tools[0]!.definition;
}

const nullable = (type: string, more: object = {}) => ({
  anyOf: [{ type, ...more }, { type: 'null' }],
});

describe('the description of a tool', () => {
  it.each([
    [
      'the comment directly above',
      '# Unrelated.\n\n# First line.\n# Second line.\nquery A { __typename }',
      'First line.\nSecond line.',
    ],
    ['the description string', '# Comment.\n"""Text."""\nquery A { __typename }', 'Text.'],
    ['no comment inside', 'query A {\n  # Inside.\n  __typename\n}', undefined],
    [
      'no comment of another definition',
      '# Fragment.\nfragment F on Query { __typename }\n\nquery A { ...F }',
      undefined,
    ],
  ])('is %s', (_name, text, description) => {
    expect(toolsOf(text).tools[0]?.definition.description).toBe(description);
  });

  it('of the manifest takes precedence', () => {
    const text = '"""Text."""\nquery A { __typename }';
    const entries = [{ id: 'a', text, description: 'Manifest.' }];
    const { tools } = createTools({ schema, parse }, entries);
    expect(tools.get('A')?.definition.description).toBe('Manifest.');
  });
});

describe('a document is not a tool', () => {
  it.each([
    ['query A { __typename }', 'it has no description'],
    ['#\nquery A { __typename }', 'it has no description'],
    ['# Text.\n{ __typename }', 'its operation has no name'],
    ['# Text.\nquery A { __typename } query B { __typename }', 'it has several operations'],
    ['# Text.\nsubscription A { documentChanged(id: "a") { __typename } }', 'it is a subscription'],
    ['# Text.\nquery A { ... @defer { viewer { runAs } } }', 'it has @defer or @stream'],
    [
      '# Text.\nmutation A($f: [Upload!]!) { createDocument(input: { form: "a", files: $f }) { __typename } }',
      'it has a variable for files, which agents cannot send',
    ],
  ])('if its text is %j', (text, reason) => {
    expect(toolsOf(text)).toEqual({ tools: [], omitted: [{ id: '0', reason }] });
  });
});

describe('the annotations of a tool', () => {
  it.each([
    ['query A { viewer { runAs } }', true],
    ['query A { document(id: "a") { response { id } } }', false],
    [
      'query A { documents(view: INBOX) { nodes { ...F } } } fragment F on Document { response { id } }',
      false,
    ],
  ])('say whether %s is read-only', (text, readOnlyHint) => {
    const { annotations } = definitionOf(text);
    expect(annotations).toMatchObject({ readOnlyHint, destructiveHint: false });
  });

  it('make clients ask before a mutation', () => {
    const text = 'mutation A { deleteOrganization(input: { id: "a" }) { __typename } }';
    expect(definitionOf(text).annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    });
  });
});

describe('the schema of arguments', () => {
  const inputOf = (variables: string) =>
    definitionOf(`query A${variables} { __typename }`).inputSchema;

  it('is an empty object without variables', () => {
    expect(inputOf('')).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  it('has types, defaults and descriptions', () => {
    const { properties, required } = inputOf(
      '("""How many. Not more."""  $first: Int! = 5, $view: DocumentView, $ids: [ID!]!, $at: DateTime, $any: JSON)',
    );
    expect(properties).toMatchObject({
      first: { type: 'integer', default: 5, description: 'How many.' },
      view: {
        ...nullable('string', { enum: expect.arrayContaining(['INBOX']) }),
        description: expect.any(String),
      },
      ids: { type: 'array', items: { type: 'string' } },
      at: { ...nullable('string'), description: expect.stringMatching(/^ISO 8601/) },
      any: {
        anyOf: ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({ type })),
        description: expect.stringMatching(/^Any JSON value/),
      },
    });
    expect(required).toEqual(['ids']);
  });

  it('describes input objects, without files', () => {
    const { properties } = inputOf('($input: CreateDocumentInput!)') as never as {
      properties: { input: { properties: object; required: string[] } };
    };
    expect(properties.input.required).toEqual(['form']);
    expect(properties.input.properties).not.toHaveProperty('attachments');
    expect(JSON.stringify(properties.input)).not.toContain('Upload');
    expect(properties.input.properties).toHaveProperty('values');
  });
});

describe('the schema of arguments of a team’s types', () => {
  const inputOf = (served: GraphQLSchema, variables: string) => {
    const entries = [{ id: '0', text: `query A${variables} { a }`, description: 'Text.' }];
    const { tools } = createTools({ schema: served, parse }, entries);
    return tools.get('A')!.definition.inputSchema as never as { properties: object };
  };

  it('is bounded before it is complete if types contain each other', () => {
    const fields = Array.from({ length: 20 }, (_, at) => `f${at}: Filter`);
    const served = buildSchema(`type Query { a: Int } input Filter { ${fields.join(' ')} }`);
    const { properties } = inputOf(served, '($filter: Filter)');
    expect(JSON.stringify(properties).length).toBeLessThan(8000);
    expect(properties).toHaveProperty('filter.anyOf.0.properties.f19', nullable('object'));
  });

  it('has defaults as clients write them', () => {
    const Level = new GraphQLEnumType({ name: 'Level', values: { HIGH: { value: 3 } } });
    const Big = new GraphQLScalarType({ name: 'Big', parseValue: (text) => BigInt(String(text)) });
    const fields = { level: { type: Level }, big: { type: Big } };
    const Input = new GraphQLInputObjectType({ name: 'Input', fields });
    const query = new GraphQLObjectType({ name: 'Query', fields: { a: { type: GraphQLString } } });
    const served = new GraphQLSchema({ query, types: [Level, Big, Input] });
    const variables =
      '($level: Level = HIGH, $big: Big = "7", $input: Input = { level: HIGH, big: "8" }, $levels: [Level!] = [HIGH])';
    expect(inputOf(served, variables).properties).toMatchObject({
      level: { default: 'HIGH' },
      big: { default: '7' },
      input: { default: { level: 'HIGH', big: '8' } },
      levels: { default: ['HIGH'] },
    });
  });

  it('accepts no null as the only key of a @oneOf type', () => {
    const served = buildSchema('type Query { a: Int } input By @oneOf { id: ID names: [String] }');
    expect(inputOf(served, '($by: By!)').properties).toEqual({
      by: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          names: { type: 'array', items: nullable('string') },
        },
        required: [],
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 1,
      },
    });
  });
});

/** A schema and all schemas in it. */
function* schemasIn(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  const { properties = {}, items = [], anyOf = [] } = schema as Record<string, object>;
  for (const one of [...Object.values(properties), items, anyOf].flat()) {
    yield* schemasIn(one as JsonSchema);
  }
}

describe('each schema in a tool', () => {
  it.each([
    'query A($filter: DocumentFilter, $any: JSON, $first: Int = 2) { documents(view: INBOX, first: $first, filter: $filter) { nodes { __typename extra(names: "a") author { __typename displayName ... on Person { email } } values { tag ... on TableValue { rows } } } } }',
    'mutation A($input: RespondToDocumentInput!) { respondToDocument(input: $input) { __typename ... on Error { message } ... on RespondToDocumentPayload { document { shortId } } } }',
  ])('has one type, and accepts not everything: %s', (text) => {
    const { inputSchema, outputSchema } = definitionOf(text);
    const all = [...schemasIn(inputSchema), ...schemasIn(outputSchema)];
    expect(all.length).toBeGreaterThan(20);
    const constraints = ['type', 'const', 'anyOf'];
    for (const one of all) {
      expect(constraints.filter((name) => name in one)).toHaveLength(1);
      expect(one['type']).not.toBeInstanceOf(Array);
    }
  });
});

describe('the schema of results', () => {
  const dataOf = (text: string) =>
    (definitionOf(text).outputSchema['properties'] as { data: { anyOf: [{ properties: object }] } })
      .data.anyOf[0].properties;

  it('has the selected fields by their keys in the result', () => {
    const text = `query A {
      person(id: "a") { mail: email }
      documents(view: INBOX) { nodes { ...F shortId } }
    }
    fragment F on Document { __typename state shortId meta { revision } }`;
    expect(dataOf(text)).toEqual({
      person: nullable('object', { properties: { mail: nullable('string') } }),
      documents: {
        type: 'object',
        properties: {
          nodes: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                __typename: { const: 'Document' },
                state: nullable('integer'),
                shortId: nullable('string'),
                meta: nullable('object', { properties: { revision: nullable('integer') } }),
              },
            },
          },
        },
      },
    });
  });

  it('has an alternative for each different type', () => {
    const author = (selection: string) =>
      dataOf(`query A { document(id: "a") { author { ${selection} } } }`) as never as {
        document: { anyOf: [{ properties: { author: object } }] };
      };
    const both = author('... on Person { fullName } ... on ServiceAccount { systemId }');
    expect(both.document.anyOf[0].properties.author).toEqual({
      anyOf: [
        { type: 'object', properties: { fullName: nullable('string') } },
        { type: 'object', properties: { systemId: { type: 'string' } } },
        { type: 'null' },
      ],
    });
    expect(author('systemId').document.anyOf[0].properties.author).toEqual(
      nullable('object', { properties: { systemId: { type: 'string' } } }),
    );
  });

  it('is bounded', () => {
    const fields = Array.from(
      { length: 40 },
      (_, at) =>
        `a${at}: value(tag: "a") { tag ... on TextValue { organization { name governmentId area { value } } } }`,
    );
    const data = dataOf(`query A { document(id: "a") { ${fields.join(' ')} } }`);
    expect(JSON.stringify(data).length).toBeLessThan(8000);
    expect(data).toHaveProperty('document.anyOf.0.type', 'object');
  });
});
