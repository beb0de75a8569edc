import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway.ts';

/** The GraphQL-over-HTTP audits of graphql-http. Each uses a new gateway. */
let url = '';
const audits = serverAudits({ url: () => `${url}/graphql` });
const required = audits.filter(({ name }) => /^(?:MUST|SHOULD) /.test(name));

it('has all audits of MUST and SHOULD', () => {
  // A newer suite with fewer audits would otherwise pass unnoticed.
  expect(required).toHaveLength(36);
});

describe('without additional headers', () => {
  it.each(required)('$id $name', async ({ fn }) => {
    ({ url } = await startGateway());
    expect(await outcomeOf(fn)).toEqual({ status: 'ok' });
  });
});

/** Without the header, GET requests are rejected as possible forgeries and their responses are not audited. */
describe('with the header that GET requires', () => {
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

/** Includes the response of a failed audit, which shows the reason. */
async function outcomeOf(audit: (typeof audits)[number]['fn']): Promise<object> {
  const result = await audit();
  if (result.status === 'ok') return { status: result.status };
  const { status, reason, response } = result;
  return { status, reason, answer: `${response.status} ${await response.text()}` };
}
