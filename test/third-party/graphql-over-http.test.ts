import { serverAudits } from 'graphql-http';
import { expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway.ts';

let url = '';
const audits = serverAudits({
  url: () => `${url}/graphql`,
  fetchFn(address: string, init: RequestInit = {}) {
    const headers = new Headers(init.headers);
    headers.set('apollo-require-preflight', '1'); // GET without it is rejected as a possible forgery
    return fetch(address, { ...init, headers });
  },
});

it.each(audits)('$id $name', async ({ fn: audit }) => {
  ({ url } = await startGateway());
  const result = await audit();
  // The response of a failed audit shows the reason.
  const answer = result.status === 'ok' ? '' : await result.response.text();
  expect({ ...result, answer }).toMatchObject({ status: 'ok' });
});
