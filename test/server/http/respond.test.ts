import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { TeamPlugin } from '../../../src/index.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { openRaw, queryBytes } from '../../helpers/raw-connection.ts';

const invalid: readonly [string, Record<string, string>][] = [
  ['a character beyond Latin-1', { 'x-reason': '€' }],
  ['a line break', { 'x-reason': 'a\r\nset-cookie: b' }],
  ['a name with a space', { 'x reason': 'a' }],
];
const query = '{ viewer { runAs } }';

describe.each(invalid)('a header that HTTP does not allow: %s', (_what, headers) => {
  const failing = (): never => {
    throw new GraphQLError('No.', { extensions: { http: { status: 403, headers } } });
  };
  const plugins: Record<string, TeamPlugin> = {
    'of an error, before the body is read': { onRequestParse: failing },
    'of an error': { onExecute: failing },
    'of a response, before the body is read': {
      onRequest: ({ endResponse, fetchAPI }) => endResponse(new fetchAPI.Response('x')),
      onResponse: ({ response }) => {
        Object.defineProperty(response, 'headers', {
          value: {
            getSetCookie: () => [],
            [Symbol.iterator]: () => Object.entries(headers)[Symbol.iterator](),
          },
        });
      },
    },
  };

  it.each(Object.entries(plugins))('%s is a 500 and a line of the log', async (_name, plugin) => {
    const gateway = await startGateway({ parts: { plugins: [plugin] } });
    await gateway.load();
    // The body is incomplete, so the response can be early.
    for (const bytes of [queryBytes(query), queryBytes(query).slice(0, -1)]) {
      const client = await openRaw(gateway, bytes);
      if (bytes.endsWith('}') || !('onExecute' in plugin)) {
        await expect.poll(client.text).toMatch(/^HTTP\/1.1 500 [^]*INTERNAL_SERVER_ERROR/);
      }
      client.socket.destroy();
    }
    const failures = gateway.log.filter(({ msg }) => msg === 'failure');
    expect(JSON.stringify(failures)).toMatch(/nvalid|valid HTTP token|greater than 255/);
    expect((await gateway.fetch('/healthz')).status).toBe(200);
  });
});
