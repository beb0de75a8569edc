import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ask, nested, startWithDefer } from '../../helpers/other-schema.ts';

/* Parts of another schema, to which a plugin adds the directives. */

const deferred = '{ nested { fast ... @defer { slow } } }';

it('accepts a disabled @defer without streaming', async () => {
  const change = nested(() => 'slow');
  const gateway = await startWithDefer({ mutation: { change } });
  const document = 'mutation ($on: Boolean!) { change { fast ... @defer(if: $on) { slow } } }';
  const response = await ask(gateway, document, 'application/json', { on: false });
  expect(await response.json()).toEqual({ data: { change: { fast: 'fast', slow: 'slow' } } });
});

describe('the connection of a stream', () => {
  it('ends with the stream on request and is not cached', async () => {
    const gateway = await startWithDefer({ query: { nested: nested(() => 'slow') } });
    const asking = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        connection: 'close',
      },
    });
    asking.end(JSON.stringify({ query: deferred }));
    const [response] = await once(asking, 'response');
    expect(response.headers).toMatchObject({ connection: 'close', 'cache-control': 'no-store' });
    response.resume();
    await once(response, 'end');
  });
});
