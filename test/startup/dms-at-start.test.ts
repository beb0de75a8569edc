import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createAuthority, readCertificate } from '../helpers/certificates.ts';
import { sendPlain, startDirectionsDms } from '../helpers/directions.ts';
import { startStrictDms } from '../helpers/dms-tls.ts';
import { addressOf, logged, logOf, spawnGateway } from '../helpers/process.ts';

describe.each(['1', '2'])(
  'a gateway with certificates (WORKERS=%s)',
  { tags: ['nightly'] },
  (WORKERS) => {
    it('reads them again on SIGHUP, and names one that cannot be used', async () => {
      const authority = createAuthority();
      const dms = await startStrictDms(authority);
      const client = authority.issue({ name: 'first' });
      const next = authority.issue({ name: 'second' });
      const gateway = spawnGateway({
        WORKERS,
        DMS_URL: dms.url,
        DMS_CA_FILE: authority.cert,
        DMS_CLIENT_CERT_FILE: client.cert,
        DMS_CLIENT_KEY_FILE: client.key,
      });
      const url = await addressOf(gateway);
      const response = await fetch(`${url}/graphql?query={person(id:"usr-ann"){firstName}}`, {
        headers: { authorization: 'Bearer ann', 'apollo-require-preflight': '1' },
      });
      expect(await response.json()).toEqual({ data: { person: { firstName: 'Änne' } } });

      copyFileSync(next.key, client.key);
      gateway.child.kill('SIGHUP');
      const { reason } = await logged(gateway, { level: 40, msg: 'TLS files not reloaded' });
      expect(reason).toMatch(
        /^DMS_CLIENT_KEY_FILE is not the key of DMS_CLIENT_CERT_FILE: CN=first, valid until \S+, \S+: \S+$/,
      );
      copyFileSync(next.cert, client.cert);
      gateway.child.kill('SIGHUP');
      const { changed } = await logged(gateway, { msg: 'TLS files reloaded' });
      expect(changed).toEqual(['DMS_CLIENT_CERT_FILE', 'DMS_CLIENT_KEY_FILE']);
      expect(logOf(gateway).filter(({ msg }) => msg === 'DMS not reachable')).toEqual([]);
    });
  },
);

it(
  'names a file that cannot be used, and does not start workers',
  { tags: ['nightly'] },
  async () => {
    const gateway = spawnGateway({
      WORKERS: '2',
      DMS_URL: 'https://127.0.0.1:9',
      DMS_CA_FILE: '/none/ca.pem',
    });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toBe(
      'The gateway cannot start: DMS_CA_FILE cannot be read: ENOENT, /none/ca.pem\n',
    );
  },
);

it('says at the start why the DMS is not reachable, with both certificates', async () => {
  const authority = createAuthority();
  const dms = await startDirectionsDms(
    sendPlain,
    readCertificate(createAuthority('unknown').issue({ name: 'stranger' })),
  );
  const gateway = spawnGateway({ DMS_URL: dms.url, DMS_CA_FILE: authority.cert });
  const day = '\\d{4}-\\d\\d-\\d\\d';
  expect(await logged(gateway, { msg: 'DMS not reachable' })).toMatchObject({
    reason: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    certificate: expect.stringMatching(`^CN=stranger, valid until ${day}$`) as string,
    certificates: [
      expect.stringMatching(`^DMS_CA_FILE: CN=authority, valid until ${day}, /`) as string,
    ],
  });
});
