import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway.ts';

/** The GraphQL-over-HTTP audits of graphql-http, each against a gateway of its own. */
let url = '';
const audits = serverAudits({ url: () => `${url}/graphql` });
const required = audits.filter(({ name }) => /^(?:MUST|SHOULD) /.test(name));

it('is audited on every MUST and SHOULD', () => {
  // A newer suite with fewer audits, or none, would pass the rest of this file unnoticed.
  expect(required).toHaveLength(36);
});

describe('as any client', () => {
  it.each(required)('$id $name', async ({ fn }) => {
    ({ url } = await startGateway());
    expect(await outcomeOf(fn)).toEqual({ status: 'ok' });
  });
});

/** Without the header a GET is refused as a possible forgery: what it would be answered with stays unaudited. */
describe('with the header that a GET needs', () => {
  const asked = serverAudits({
    url: () => `${url}/graphql`,
    fetchFn: (address: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('apollo-require-preflight', '1');
      return fetch(address, { ...init, headers });
    },
  });

  it.each(asked)('$id $name', async ({ fn }) => {
    ({ url } = await startGateway());
    expect(await outcomeOf(fn)).toEqual({ status: 'ok' });
  });
});

/** With the answer of an audit that failed, to see why. */
async function outcomeOf(audit: (typeof audits)[number]['fn']): Promise<object> {
  const result = await audit();
  if (result.status === 'ok') return { status: result.status };
  const { status, reason, response } = result;
  return { status, reason, answer: `${response.status} ${await response.text()}` };
}
