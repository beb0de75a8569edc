import { expect, it } from 'vitest';
import { ask, nested, startWithDefer } from '../../helpers/other-schema.ts';

it('accepts a disabled @defer of a plugin in a mutation, without streaming', async () => {
  const change = nested(() => 'slow');
  const gateway = await startWithDefer({ mutation: { change } });
  const document = 'mutation ($on: Boolean!) { change { fast ... @defer(if: $on) { slow } } }';
  const response = await ask(gateway, document, 'application/json', { on: false });
  expect(await response.json()).toEqual({ data: { change: { fast: 'fast', slow: 'slow' } } });
});
