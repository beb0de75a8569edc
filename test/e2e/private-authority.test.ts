import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority, readCertificate } from '../helpers/certificates.ts';
import { addressOf, logged, spawnGateway } from '../helpers/process.ts';

const email = { data: { person: { email: 'a@example.com' } } };

async function readPerson(url: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ann' },
    body: JSON.stringify({ query: '{ person(id: "usr-a") { email } }' }),
  });
  return response.json();
}

describe('a DMS with a certificate of a private authority', () => {
  it('is used with NODE_EXTRA_CA_CERTS, and is not available without', async () => {
    const authority = createAuthority();
    const dms = createServer(readCertificate(authority.issue()), (_request, response) => {
      response.end('{"_id_sys":"usr-a","email":"a@example.com"}');
    });
    onTestFinished(() => void dms.close());
    await once(dms.listen(0, '127.0.0.1'), 'listening');
    const DMS_URL = `https://127.0.0.1:${(dms.address() as AddressInfo).port}`;
    const gateways = [
      spawnGateway({ DMS_URL, NODE_EXTRA_CA_CERTS: authority.cert }),
      spawnGateway({ DMS_URL }),
    ];
    const [one, other] = await Promise.all(gateways.map(addressOf));
    expect(await readPerson(one!)).toEqual(email);
    expect(await readPerson(other!)).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    });
    const { cause } = await logged(gateways[1]!, { msg: 'failure' });
    expect(cause).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });
});
