import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineGateway } from '../../../src/index.ts';
import { badInput } from '../../../src/schema/graphql-error.ts';
import { parsedArgs } from '../../../src/schema/public.ts';
import { createResolvers } from '../../helpers/resolvers.ts';

const idOf = (n: number): string => n.toString(16).padStart(24, '0');
interface Factor {
  readonly factor: number;
}
const parse = vi.fn<(args: Factor) => Factor>(({ factor }) => {
  if (factor < 0) throw badInput('`factor` must not be negative.');
  return { factor };
});

const config = defineGateway({
  schema(builder, { DocumentRef }) {
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
