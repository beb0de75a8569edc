import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineGateway } from '../../../src/index.ts';
import { badInput } from '../../../src/schema/graphql-error.ts';
import { parsedArgs } from '../../../src/schema/public.ts';
import { compiledAfter } from '../../helpers/execution-mode.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { idOf } from '../../helpers/ids.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

interface Factor {
  readonly factor: number;
}
const parse = vi.fn<(args: Factor) => Factor>(({ factor }) => {
  if (factor < 0) throw badInput('`factor` must not be negative.');
  return { factor };
});

const config = defineGateway({
  schema(builder, { DocumentRef }) {
    const Scale = builder.interfaceRef<{ name: string }>('Scale').implement({
      resolveType: ({ name }) => name,
      fields: (t) => ({
        factor: t.int({ args: { factor: t.arg.int({ required: true, defaultValue: 10 }) } }),
      }),
    });
    const scale = (name: string, defaultValue: number) =>
      builder.objectRef<{ name: string }>(name).implement({
        interfaces: [Scale],
        fields: (t) => ({
          factor: t.int({
            args: { factor: t.arg.int({ required: true, defaultValue }) },
            parse,
            limitCost: ({ factor }: Factor) => ({ calls: factor }),
            resolve: (_scale, args, context, info) => parsedArgs(parse, args, context, info).factor,
          }),
        }),
      });
    scale('Small', 1);
    scale('Large', 100);
    builder.queryField('scales', (t) =>
      t.field({ type: [Scale], resolve: () => [{ name: 'Small' }, { name: 'Large' }] }),
    );
    builder.objectField(DocumentRef, 'scaled', (t) =>
      t.int({
        description: 'The factor.',
        args: { factor: t.arg.int({ required: true }) },
        parse,
        limitCost: ({ factor }: Factor) => ({ calls: factor }),
        resolve: (_document, args, context, info) => parsedArgs(parse, args, context, info).factor,
      }),
    );
  },
});

beforeEach(() => void parse.mockClear());

describe('the arguments of a field', () => {
  const withDocuments = (settings = {}) => {
    const resolvers = createResolvers({ config, settings });
    const items = [1, 2, 3].map((n) => ({ _id: idOf(n) }));
    resolvers.dms.reply('GET', '/api/v2/docForm/view/all', items);
    return resolvers;
  };

  it('are parsed once for all objects', async () => {
    const { run } = withDocuments();
    const { data } = await run('{ documents { nodes { scaled(factor: 2) } } }');
    expect(data).toEqual({ documents: { nodes: [{ scaled: 2 }, { scaled: 2 }, { scaled: 2 }] } });
    expect(parse).toHaveBeenCalledTimes(1);
  });

  it('are parsed once for each alias', async () => {
    const { run } = withDocuments();
    const fields = 'scaled(factor: 2) other: scaled(factor: $f)';
    const query = `query ($f: Int!) { documents { nodes { ${fields} } } }`;
    const { data } = await run(query, { f: 3 });
    expect(data).toMatchObject({ documents: { nodes: [{ scaled: 2, other: 3 }, {}, {}] } });
    expect(parse).toHaveBeenCalledTimes(2);
  });

  it('are parsed once for equal fields, which are executed as one', async () => {
    const { run } = withDocuments({ MAX_UPSTREAM_CALLS: 1000 });
    const fields = 'scaled(factor: $f) '.repeat(100);
    const page = `documents { nodes { ${fields} } } `;
    const { data } = await run(`query ($f: Int!) { ${page.repeat(2)} }`, { f: 3 });
    expect(data).toMatchObject({ documents: { nodes: [{ scaled: 3 }, {}, {}] } });
    expect(parse).toHaveBeenCalledTimes(1);
  });

  it.each([0, 1])(
    'are parsed once more where plugins can change variables, compiled after %s',
    async (compileAfter) => {
      const { query, dms } = await startGateway({
        server: compiledAfter(compileAfter),
        parts: { extendSchema: config.schema!, plugins: [{ onExecute() {} }] },
      });
      const items = [1, 2, 3].map((n) => ({ _id: idOf(n) }));
      dms.reply('GET', '/api/v2/docForm/view/all', items);
      const documents = 'query ($f: Int!) { documents { nodes { scaled(factor: $f) } } }';
      for (const f of [2, 3]) {
        const { data } = await query(documents, { f });
        const scaled = { scaled: f };
        expect(data).toEqual({ documents: { nodes: [scaled, scaled, scaled] } });
      }
      expect(parse).toHaveBeenCalledTimes(4);
    },
  );

  it.each([0, 1])(
    'have the defaults of the type of each object, compiled after %s',
    async (compileAfter) => {
      const { query } = await startGateway({
        server: { ...compiledAfter(compileAfter), maxUpstreamCalls: 101 },
        parts: { extendSchema: config.schema! },
      });
      const { data } = await query('{ scales { __typename factor } }');
      expect(data).toEqual({
        scales: [
          { __typename: 'Small', factor: 1 },
          { __typename: 'Large', factor: 100 },
        ],
      });
    },
  );

  it('are rejected before a request is sent', async () => {
    const { run, dms } = withDocuments();
    const { codes } = await run('{ documents { nodes { scaled(factor: -1) } } }');
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(dms.requests).toEqual([]);
  });

  it('cost what the parsed ones cost', async () => {
    const { run, dms } = withDocuments({ MAX_UPSTREAM_CALLS: 10 });
    const { codes } = await run('{ documents(first: 3) { nodes { scaled(factor: 4) } } }');
    expect(codes).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
    expect(dms.requests).toEqual([]);
  });
});
