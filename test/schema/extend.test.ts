import { readFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema, type GraphQLObjectType } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import {
  defineGateway,
  printSchemaOf,
  type GatewayConfig,
  type TeamContext,
} from '../../src/index.ts';
import {
  documentRequirements,
  mutationErrorRefs,
  resolverError,
  typeNameOf,
  validationError,
} from '../../src/schema/public.ts';
import { schemaWith, schema } from '../../src/schema/index.ts';
import { createResolvers } from '../helpers/resolvers.ts';

const id = '5f0000000000000000000001';
const otherId = '5f0000000000000000000002';

const config = defineGateway({
  schema(builder, { DocumentRef, DocumentResponseRef, PersonRef, RecoDataRef }) {
    builder.objectField(DocumentRef, 'riskScore', (t) =>
      t.float({
        nullable: true,
        requires: ['author', 'values'],
        description: 'How risky the document is.',
        resolve: ({ author, values }) =>
          author === 'usr-ann' ? 0.5 : (values?.list().length ?? 0),
      }),
    );
    builder.objectField(DocumentRef, 'approver', (t) =>
      t.field({
        type: PersonRef,
        nullable: true,
        requires: ['author'],
        upstreamCalls: true,
        description: 'Who approves the document.',
        resolve: ({ author }, _args, { loaders }) => (author ? loaders.person.load(author) : null),
      }),
    );
    builder.objectField(DocumentResponseRef, 'isOpen', (t) =>
      t.boolean({
        requires: ['status'],
        description: 'Whether the response is open.',
        resolve: ({ status }) => status === 1,
      }),
    );
    builder.objectField(RecoDataRef, 'pageCount', (t) =>
      t.int({
        nullable: true,
        requires: ['pageIndexStart', 'pageIndexEnd'],
        description: 'Number of pages.',
        resolve: ({ pageIndexStart = null, pageIndexEnd = null }) =>
          pageIndexStart === null || pageIndexEnd === null
            ? null
            : pageIndexEnd - pageIndexStart + 1,
      }),
    );
  },
});

describe('schemaWith', () => {
  it('changes nothing if the extension adds nothing', () => {
    const print = (one: typeof schema): string => printSchema(lexicographicSortSchema(one));
    expect(print(schemaWith(null, () => {}))).toBe(print(schema));
  });

  it('is printed as schema.graphql is', async () => {
    const committed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
    expect(await printSchemaOf({})).toBe(committed);
    expect(await printSchemaOf(config)).toContain('riskScore: Float');
  });

  it('adds fields to types that have no ref of their own', async () => {
    const names = ['Viewer', 'TextValue', 'DocumentConnection', 'CreateDocumentPayload'];
    const extended = schemaWith(null, (builder) => {
      for (const name of names) {
        const ref = builder.objectRef<object>(name);
        builder.objectField(ref, 'added', (t) => t.int({ resolve: () => 1 }));
      }
    });
    for (const name of names) {
      expect(Object.keys((extended.getType(name) as GraphQLObjectType).getFields())).toContain(
        'added',
      );
    }
    const { run } = createResolvers({
      config: {
        schema: (builder) =>
          builder.objectField(
            builder.objectRef<{ readonly runAs: string }>('Viewer'),
            'added',
            (t) => t.string({ resolve: ({ runAs }) => `${runAs}!` }),
          ),
      },
      runAs: 'usr-ann',
    });
    expect((await run('{ viewer { added } }')).data).toEqual({ viewer: { added: 'usr-ann!' } });
  });

  it('builds a schema once and leaves the base schema as it is', () => {
    const extended = schemaWith(null, config.schema!);
    expect(schemaWith(null, config.schema!)).toBe(extended);
    expect(printSchema(extended)).toContain('riskScore: Float');
    expect(printSchema(schema)).not.toContain('riskScore');
  });

  it('reads what fields require with the same REST call', async () => {
    const { dms, run } = createResolvers({ config });
    dms.reply('GET', '/api/v2/docForm/DOC-1', {
      _id: id,
      state: 10,
      author: 'usr-bob',
      valuesByTags: { a: '1', b: '2' },
    });
    const { data, codes } = await run('{ document(id: "DOC-1") { state riskScore } }');
    expect(codes).toEqual([]);
    expect(data).toEqual({ document: { state: 10, riskScore: 2 } });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/DOC-1?fields=_id,author,state,valuesByTags&embed=valuesByTags',
    ]);
  });

  it('reads what fields of pages, responses and recognition data require', async () => {
    const { dms, run } = createResolvers({ config });
    dms.reply('GET', '/api/v2/docForm/view/all', [
      {
        _id: id,
        docResponse: { _id: otherId, status: 1 },
        recoData: [{ _id: otherId, pageIdxStart: 2, pageIdxEnd: 4 }],
      },
    ]);
    const { data } = await run(
      '{ documents(first: 1) { nodes { response { isOpen } recoData { pageCount } } } }',
    );
    expect(data).toEqual({
      documents: { nodes: [{ response: { isOpen: true }, recoData: [{ pageCount: 3 }] }] },
    });
    expect(dms.requests).toHaveLength(1);
    expect(dms.requests[0]).toContain('pageIdxStart,pageIdxEnd');
    expect(dms.requests[0]).toContain('status');
  });

  it('loads other objects through the loaders of the gateway', async () => {
    const { dms, run } = createResolvers({ config });
    dms
      .reply('GET', '/api/v2/docForm/DOC-1', { _id: id, author: 'usr-ann' })
      .reply('GET', '/api/v2/person/usr-ann', { _id_sys: 'usr-ann', name_first: 'Ann' });
    const { data } = await run(
      '{ document(id: "DOC-1") { approver { firstName } author { ... on Person { firstName } } } }',
    );
    expect(data).toEqual({
      document: { approver: { firstName: 'Ann' }, author: { firstName: 'Ann' } },
    });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/DOC-1?fields=_id,author',
      'GET /api/v2/person/usr-ann',
    ]);
  });

  it('counts declared calls in the budget', async () => {
    const { dms, run } = createResolvers({ config, settings: { MAX_UPSTREAM_CALLS: 10 } });
    const { codes } = await run('{ documents(first: 20) { nodes { approver { firstName } } } }');
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(dms.requests).toEqual([]);
  });

  it('adds mutations with the result-union pattern', async () => {
    const assess = vi.fn<(document: string) => Promise<number>>(async () => 0.7);
    const withMutation = defineGateway({
      schema(builder, { DocumentRef }) {
        const Payload = builder
          .objectRef<{ readonly __typename: 'AssessRiskPayload'; readonly fullId: string }>(
            'AssessRiskPayload',
          )
          .implement({
            fields: (t) => ({
              document: t.field({
                type: DocumentRef,
                nullable: true,
                resolve: ({ fullId }, _args, { loaders }, info) =>
                  loaders.document.load(fullId, documentRequirements(info)),
              }),
            }),
          });
        const Result = builder.unionType('AssessRiskResult', {
          types: [Payload, ...mutationErrorRefs],
          resolveType: typeNameOf,
        });
        builder.mutationField('assessRisk', (t) =>
          t.field({
            type: Result,
            args: { document: t.arg.id({ required: true }) },
            resolve: async (_root, { document }) => {
              if (document === '') {
                return validationError([{ path: ['document'], message: 'The ID is empty.' }]);
              }
              if (document === 'x') throw resolverError('FORBIDDEN', 'Not this document.');
              await assess(document);
              return { __typename: 'AssessRiskPayload' as const, fullId: document };
            },
          }),
        );
      },
    });
    const { dms, run } = createResolvers({ config: withMutation });
    dms.reply('GET', `/api/v2/docForm/${id}`, { _id: id, state: 10 });
    const mutation = (document: string): string => `mutation {
      assessRisk(document: "${document}") {
        ... on AssessRiskPayload { document { state } }
        ... on ValidationError { issues { path } }
      }
    }`;
    expect((await run(mutation(id))).data).toEqual({ assessRisk: { document: { state: 10 } } });
    expect(assess).toHaveBeenCalledExactlyOnceWith(id);
    expect(dms.requests).toEqual([`GET /api/v2/docForm/${id}?fields=_id,state`]);
    expect((await run(mutation(''))).data).toEqual({
      assessRisk: { issues: [{ path: ['document'] }] },
    });
    expect((await run(mutation('x'))).codes).toEqual(['FORBIDDEN']);
  });

  it('gives resolvers the context of the team, and disposes it', async () => {
    const disposed = vi.fn<() => Promise<void>>(async () => {});
    const { run } = createResolvers({
      runAs: 'usr-ann',
      config: {
        schema: (builder) =>
          builder.queryField('asker', (t) =>
            t.string({
              resolve: (_root, _args, context) => (context as { asker?: string }).asker ?? '',
            }),
          ),
        context: async ({ caller }) =>
          ({ asker: caller.runAs, [Symbol.asyncDispose]: disposed }) as TeamContext,
      },
    });
    expect((await run('{ asker }')).data).toEqual({ asker: 'usr-ann' });
    expect(disposed).toHaveBeenCalledOnce();
  });

  const invalid: readonly (readonly [
    what: string,
    extension: NonNullable<GatewayConfig['schema']>,
    message: string,
  ])[] = [
    [
      'a field that exists',
      (builder, { DocumentRef }) => {
        builder.objectField(DocumentRef, 'state', (t) => t.int({ resolve: () => 1 }));
      },
      'Duplicate field state on Document',
    ],
    [
      'a type that exists',
      (builder) => {
        builder.objectType('Document' as never, { fields: () => ({}) } as never);
      },
      'The type Document already exists. Use `builder.objectField`, or `builder.queryField` for Query, to add a field to it.',
    ],
    [
      'a requirement that does not exist',
      (builder, { DocumentRef }) => {
        builder.objectField(DocumentRef, 'risk', (t) =>
          t.int({ requires: ['autor' as 'author'], resolve: () => 1 }),
        );
      },
      'Document.risk requires "autor", which is not a property that a field of Document can require',
    ],
    [
      'requirements that are no list',
      (builder, { DocumentRef }) => {
        builder.objectField(DocumentRef, 'risk', (t) =>
          t.int({ requires: 'author' as never, resolve: () => 1 }),
        );
      },
      'Document.risk: `requires` must be a list of properties',
    ],
    ['later types', async () => {}, '`schema` must not be asynchronous'],
    [
      'a type without fields',
      (builder) => {
        builder.objectRef('Empty').implement({ fields: () => ({}) });
      },
      'Type Empty must define one or more fields.',
    ],

    [
      'a field with the name of a property of every object',
      (builder, { DocumentRef }) => {
        builder.objectField(DocumentRef, 'constructor', (t) => t.int({ resolve: () => 1 }));
      },
      'The name "constructor" of Document.constructor is reserved.',
    ],
    [
      'an input with such a field',
      (builder) => {
        const Input = builder.inputType('RiskInput', {
          fields: (t) => ({ hasOwnProperty: t.int() }),
        });
        builder.queryField('risk', (t) =>
          t.int({ args: { input: t.arg({ type: Input }) }, resolve: () => 1 }),
        );
      },
      'The name "hasOwnProperty" of RiskInput.hasOwnProperty is reserved.',
    ],
  ];
  it.each(invalid)('rejects %s', (_what, extension, message) => {
    expect(() => schemaWith(null, extension)).toThrow(message);
  });
});
