import type * as GraphQL from 'graphql';
import { GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import type { TeamPlugin } from '../../src/index.ts';
import { startGateway } from '../helpers/gateway.ts';

/* A second copy of graphql: Vite loads index.mjs of the package, Node loads index.js. */

const path = 'graphql/index.mjs';
const other = (await import(path)) as typeof GraphQL;

const forbidden = () => new other.GraphQLError('Not you.', { extensions: { code: 'FORBIDDEN' } });

it('is another copy', () => {
  expect(forbidden()).not.toBeInstanceOf(GraphQLError);
});

it('has errors that keep message, code and status in a field, a list, a scalar and a plugin', async () => {
  const fail = (): never => {
    throw forbidden();
  };
  const gateway = await startGateway({
    parts: {
      extendSchema(builder) {
        builder.scalarType('Money' as never, { serialize: String, parseValue: fail });
        builder.queryFields((t) => ({
          field: t.int({ nullable: true, resolve: fail }),
          list: t.intList({
            nullable: { list: true, items: true },
            resolve: () => [forbidden() as never],
          }),
          price: t.int({
            nullable: true,
            args: { of: t.arg({ type: 'Money' as never }) },
            resolve: () => 1,
          }),
        }));
      },
      plugins: [
        {
          onRequestParse({ request }) {
            if (!request.headers.has('x-refused')) return;
            throw new other.GraphQLError('Pay first.', { extensions: { http: { status: 402 } } });
          },
        } satisfies TeamPlugin,
      ],
    },
  });
  const { errors } = await gateway.query('{ field list }');
  const shown = { message: 'Not you.', extensions: { code: 'FORBIDDEN' } };
  expect(errors).toMatchObject([
    { ...shown, path: ['field'] },
    { ...shown, path: ['list', 0] },
  ]);
  const input = await gateway.query('query ($of: Money) { price(of: $of) }', { of: 1 });
  expect(input.errors).toMatchObject([{ message: expect.stringContaining('Not you.') }]);
  expect(input.status).toBe(200);
  const refused = await gateway.query('{ field }', {}, { 'x-refused': '1' });
  expect(refused.status).toBe(402);
  expect(refused.errors).toMatchObject([{ message: 'Pay first.' }]);
});

it('is one clear error at the start if a plugin makes a schema with it', async () => {
  const plugin: TeamPlugin = {
    onSchemaChange({ replaceSchema, schema }) {
      if (schema instanceof other.GraphQLSchema) return;
      const { GraphQLInt, GraphQLObjectType, GraphQLSchema } = other;
      const query = new GraphQLObjectType({ name: 'Query', fields: { one: { type: GraphQLInt } } });
      replaceSchema(new GraphQLSchema({ query }));
    },
  };
  const gateway = await startGateway({ parts: { plugins: [plugin] } });
  await expect(gateway.load()).rejects.toThrow(
    'The schema was made with a second copy of `graphql`.',
  );
});
