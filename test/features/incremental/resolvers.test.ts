import { expect, it } from 'vitest';
import { createResolvers } from '../../../src/testing/index.ts';

it.each([
  ['@defer', '{ viewer { ... @defer(if: $on) { runAs } } }'],
  ['@stream', '{ nodes(ids: []) @stream(if: $on) { id } }'],
])('throws in createResolvers if a query has %s that is not off', async (_, selection) => {
  const { run } = createResolvers();
  const query = `query ($on: Boolean! = true) ${selection}`;
  await expect(run(query)).rejects.toThrow('`@defer` and `@stream` need a gateway');
  expect((await run(query, { on: false })).codes).toEqual([]);
});
