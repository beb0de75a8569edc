import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { SecureVersion } from 'node:tls';
import { describe, expect, it } from 'vitest';
import {
  createAuthority,
  readCertificate,
  rejectForServers,
  startTlsRejection,
  type IssueOptions,
  type PrivateAuthority,
} from '../helpers/certificates.ts';
import { directions, sendPlain, startDirectionsDms } from '../helpers/directions.ts';
import { startStrictDms, tlsFilesOf } from '../helpers/dms-tls.ts';
import { respondWith, startFailingDms } from '../helpers/failing-dms.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';
import { addressOf, logged, logOf, spawnGateway } from '../helpers/process.ts';

/** The keys of an issuer are on another connection. */
const dmsDirections = directions.filter(({ name }) => name !== 'a key set');

const read = '{ person(id: "usr-ann") { firstName } }';
const upsert = 'mutation { upsertOrganization(input: { name: "Müller" }) { __typename } }';

function startTlsDms(authority: PrivateAuthority, options: IssueOptions = {}) {
  return startDirectionsDms(sendPlain, readCertificate(authority.issue(options)));
}

describe('a DMS with a certificate of a private authority', () => {
  it.each(dmsDirections)('is used for $name with DMS_CA_FILE', async ({ run, expected }) => {
    const authority = createAuthority();
    const dms = await startTlsDms(authority);
    const { tls, write } = tlsFilesOf(authority.cert);
    expect(await run(dms, { http: { tls } })).toEqual(expected);
    expect(write).not.toHaveBeenCalled();
  });

  it('is used if another certificate precedes it without a line break', async () => {
    const [authority, other] = [createAuthority(), createAuthority('other')];
    writeFileSync(other.cert, readFileSync(other.cert, 'utf8').trimEnd());
    appendFileSync(other.cert, readFileSync(authority.cert));
    const dms = await startTlsDms(authority);
    const { tls } = tlsFilesOf(other.cert);
    const { run, expected } = dmsDirections[0]!;
    expect(await run(dms, { http: { tls } })).toEqual(expected);
  });

  it('is not available if the file rejects it for servers', async () => {
    const authority = createAuthority();
    const dms = await startTlsDms(authority);
    rejectForServers(authority);
    const { tls } = tlsFilesOf(authority.cert);
    const { errors } = await (await startGatewayBefore(dms.url, { http: { tls } })).query(read);
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(dms.requests).toEqual([]);
  });

  it('is used if its own certificate is trusted', async () => {
    const own = createAuthority().issue();
    const dms = await startDirectionsDms(sendPlain, readCertificate(own));
    const gateway = await startGatewayBefore(dms.url, { http: { tls: tlsFilesOf(own.cert).tls } });
    const { errors } = await gateway.query(read);
    expect(errors).toBeUndefined();
  });

  it.each<readonly [string, string, IssueOptions]>([
    ['another name', 'ERR_TLS_CERT_ALTNAME_INVALID', { altName: 'DNS:dms.internal' }],
    ['an expired certificate', 'CERT_HAS_EXPIRED', { validity: ['20200101', '20200102'] }],
  ])('receives nothing if it has %s, and the log says so once', async (_what, reason, options) => {
    const authority = createAuthority();
    const dms = await startTlsDms(authority, options);
    const { tls, write } = tlsFilesOf(authority.cert);
    const gateway = await startGatewayBefore(dms.url, { http: { tls } });
    for (const text of [read, upsert, read]) {
      const { errors } = await gateway.query(text);
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    }
    expect(dms.requests).toEqual([]);
    expect(write.mock.calls).toEqual([
      ['warn', 'TLS connection to the DMS failed', expect.objectContaining({ reason })],
    ]);
  });

  it.each(dmsDirections)('is used for $name with DMS_TLS_SERVER_NAME', async (direction) => {
    const authority = createAuthority();
    const dms = await startTlsDms(authority, { altName: 'DNS:dms.internal' });
    const { tls } = tlsFilesOf(authority.cert, null, 'dms.internal');
    expect(await direction.run(dms, { http: { tls } })).toEqual(direction.expected);
  });
});

describe('a DMS that requires a client certificate', () => {
  it.each(dmsDirections)('accepts that of the settings for $name', async ({ run, expected }) => {
    const authority = createAuthority();
    const dms = await startStrictDms(authority);
    const { tls, write } = tlsFilesOf(authority.cert, authority.issue());
    expect(await run(dms, { http: { tls } })).toEqual(expected);
    expect(write).not.toHaveBeenCalled();
  });

  it.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])(
    'is not available without, for reads and writes (%s)',
    async (version) => {
      const authority = createAuthority();
      const dms = await startStrictDms(authority, version);
      const { tls, write } = tlsFilesOf(authority.cert);
      const gateway = await startGatewayBefore(dms.url, { http: { tls } });
      for (const text of [read, upsert]) {
        const { errors } = await gateway.query(text);
        expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
      }
      expect(dms.requests).toEqual([]);
      expect(write.mock.calls).toEqual([
        [
          'warn',
          'TLS connection to the DMS failed',
          expect.objectContaining({ reason: expect.stringMatching(/_ALERT_/) as string }),
        ],
      ]);
    },
  );
});

describe('a DMS that rejects the client certificate with an alert', () => {
  it('is not available, for reads and writes, and the log names the certificate', async () => {
    const authority = createAuthority();
    const url = await startTlsRejection(authority.issue(), createAuthority('other'));
    const { tls, write } = tlsFilesOf(authority.cert, authority.issue({ name: 'stranger' }));
    const gateway = await startGatewayBefore(url, { http: { tls } });
    for (const text of [read, upsert]) {
      const { errors } = await gateway.query(text);
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    }
    const certificate = expect.stringContaining('DMS_CLIENT_CERT_FILE: CN=stranger') as string;
    expect(write.mock.calls).toEqual([
      [
        'warn',
        'TLS connection to the DMS failed',
        {
          reason: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
          certificates: [expect.any(String), certificate],
        },
      ],
    ]);
  });
});

describe('a DMS whose proxy rejects the client certificate with a page', () => {
  it('is not available, for reads and writes, which are sent once', async () => {
    const page = '<html><head><title>400 The SSL certificate error</title></head></html>';
    const behave = respondWith(400, page, { 'content-type': 'text/html' });
    for (const text of [read, upsert]) {
      await using dms = await startFailingDms(behave);
      const gateway = await startGatewayBefore(dms.url);
      const { errors } = await gateway.query(text);
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
      const failure = gateway.log.find(({ msg }) => msg === 'failure');
      expect(JSON.stringify(failure)).toContain('it rejects the client certificate');
      expect(dms.requests).toHaveLength(1);
    }
  });
});

describe('files that have changed', () => {
  it.each(dmsDirections)('are used for $name on the next connection', async ({ run, expected }) => {
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const dms = await startTlsDms(current);
    const { tls, write } = tlsFilesOf(old.cert);
    copyFileSync(current.cert, old.cert);
    tls.reload();
    expect(await run(dms, { http: { tls, retries: 0 } })).toEqual(expected);
    expect(write.mock.calls).toEqual([
      ['info', 'TLS files reloaded', { changed: ['DMS_CA_FILE'] }],
    ]);
  });

  it('are a client certificate, too', async () => {
    const [old, current] = [createAuthority('old'), createAuthority('current')];
    const dms = await startStrictDms(current, 'TLSv1.2');
    const [client, next] = [old.issue(), current.issue()];
    const { tls } = tlsFilesOf(current.cert, client);
    const gateway = await startGatewayBefore(dms.url, { http: { tls } });
    const readCode = async (): Promise<unknown> => {
      const { errors } = await gateway.query(read);
      return errors?.[0]?.extensions['code'] ?? null;
    };
    expect(await readCode()).toBe('UPSTREAM_UNAVAILABLE');
    copyFileSync(next.key, client.key);
    copyFileSync(next.cert, client.cert);
    tls.reload();
    expect(await readCode()).toBeNull();
  });
});

describe.each(['1', '2'])('a gateway with certificates (WORKERS=%s)', (WORKERS) => {
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

  it('names a file that cannot be used, and does not start', async () => {
    const gateway = spawnGateway({
      WORKERS,
      DMS_URL: 'https://127.0.0.1:9',
      DMS_CA_FILE: '/none/ca.pem',
    });
    expect(await gateway.exited).toBe(1);
    expect(gateway.output()).toBe(
      'The gateway cannot start: DMS_CA_FILE cannot be read: ENOENT, /none/ca.pem\n',
    );
  });

  it('says at the start why the DMS is not reachable, with both certificates', async () => {
    const authority = createAuthority();
    const dms = await startTlsDms(createAuthority('unknown'), { name: 'stranger' });
    const gateway = spawnGateway({ WORKERS, DMS_URL: dms.url, DMS_CA_FILE: authority.cert });
    const day = '\\d{4}-\\d\\d-\\d\\d';
    expect(await logged(gateway, { msg: 'DMS not reachable' })).toMatchObject({
      reason: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      certificate: expect.stringMatching(`^CN=stranger, valid until ${day}$`) as string,
      certificates: [
        expect.stringMatching(`^DMS_CA_FILE: CN=authority, valid until ${day}, /`) as string,
      ],
    });
  });
});
