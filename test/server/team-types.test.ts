import { expect, it } from 'vitest';
import { defineGateway } from '../../src/index.ts';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { startGateway } from '../helpers/gateway.ts';
import { answersInParts, mergeParts, queryParts } from '../helpers/result-parts.ts';

/* Types of a team work as in graphql-js, also if operations are compiled or answered in parts. */

const { schema: extendSchema } = defineGateway({
  schema(builder, { DocumentRef }) {
    const Shape = builder.interfaceRef<{ readonly area: number }>('Shape').implement({
      fields: (t) => ({ area: t.exposeInt('area') }),
    });
    builder.objectRef<{ readonly area: number }>('Circle').implement({
      interfaces: [Shape],
      isTypeOf: async (value) => (value as { readonly area: number }).area > 1,
    });
    builder.objectRef<{ readonly area: number }>('Square').implement({
      interfaces: [Shape],
      isTypeOf: (value) => (value as { readonly area: number }).area === 1,
    });
    const Cat = builder.objectRef<{ readonly name: string }>('Cat').implement({
      fields: (t) => ({ name: t.exposeString('name'), later: t.exposeString('later' as 'name') }),
    });
    const Animal = builder.unionType('Animal', { types: [Cat], resolveType: async () => 'Cat' });
    builder.scalarType('Money' as never, { serialize: (value: unknown) => `${String(value)} EUR` });
    builder.queryFields((t) => ({
      shapes: t.field({ type: [Shape], resolve: async () => [{ area: 1 }, { area: 2 }] }),
      animal: t.field({
        type: Animal,
        resolve: () => ({ name: () => 'Tom', later: Promise.resolve('Tim') }) as never,
      }),
      price: t.field({ type: 'Money' as never, resolve: (() => 5n) as never }),
      known: t.field({
        type: DocumentRef,
        resolve: () => ({ shortId: async () => 'DOC-1' }) as never,
      }),
    }));
  },
});

const selection =
  'shapes { __typename area } animal { ... on Cat { name later } } price known { shortId }';
const expected = {
  shapes: [
    { __typename: 'Square', area: 1 },
    { __typename: 'Circle', area: 2 },
  ],
  animal: { name: 'Tom', later: 'Tim' },
  price: '5 EUR',
  known: { shortId: 'DOC-1' },
};

it('has interfaces, unions, scalars, and objects with functions and promises', async () => {
  const gateway = await startGateway({ server: compiledAfter(1), parts: { extendSchema } });
  const { data, errors } = await gateway.query(`{ ${selection} }`);
  expect(errors).toBeUndefined();
  expect(data).toEqual(expected);
});

it.runIf(answersInParts)('has them in a later part of the result', async () => {
  const gateway = await startGateway({ parts: { extendSchema } });
  const parts = await queryParts(gateway, `{ __typename ... @defer { ${selection} } }`);
  expect(mergeParts(parts).data).toMatchObject(expected);
});
