import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TlsSettings } from '../../src/config/tls-settings.ts';
import type { Log } from '../../src/server/telemetry/log.ts';
import { TlsFiles } from '../../src/startup/tls-files.ts';
import { createAuthority, encryptKey, type Certificate } from '../helpers/certificates.ts';
import { fakeTimers } from '../helpers/fake-timers.ts';

interface Files {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

function open({ ca, cert, key, passphrase }: Files) {
  const named = (name: string, path: string | undefined) =>
    path === undefined ? null : { name, path };
  const settings: TlsSettings = {
    service: 'the DMS',
    ca: named('DMS_CA_FILE', ca),
    certificate: named('DMS_CLIENT_CERT_FILE', cert),
    key: named('DMS_CLIENT_KEY_FILE', key),
    passphrase: passphrase ?? null,
    serverName: null,
  };
  const write = vi.fn<Log['write']>();
  return { files: new TlsFiles(settings, { write }), write };
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** Replaces a file by a text until the test ends. */
function replaceFile(path: string, text: string): string {
  const before = readFileSync(path);
  onTestFinished(() => writeFileSync(path, before));
  writeFileSync(path, text);
  return path;
}

/** The same certificate, whose last second is no date. Its signature is wrong. */
function withInvalidDate(pem: string): string {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const utcTime = Buffer.from([0x17, 13]);
  const last = der.indexOf(utcTime, der.indexOf(utcTime) + 15) + utcTime.length;
  der.write('269999999999Z', last, 'latin1');
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

describe('files of certificates', () => {
  it('are described by file, subject and last day', () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue();
    const { files, write } = open({ ca: authority.cert, cert, key });
    expect(files.certificates).toEqual([
      {
        text: `DMS_CA_FILE: CN=authority, valid until ${tomorrow}, ${authority.cert}`,
        problem: null,
      },
      {
        text: `DMS_CLIENT_CERT_FILE: CN=issued-1, valid until ${tomorrow}, ${cert}`,
        problem: null,
      },
    ]);
    expect(files.warnings).toEqual([]);
    expect(write).not.toHaveBeenCalled();
  });

  it('can be one file with several certificates and the key', () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue();
    const both = replaceFile(
      cert,
      [cert, authority.cert, key].map((path) => readFileSync(path, 'utf8')).join('\n'),
    );
    const { files } = open({ cert: both, key: both });
    expect(files.certificates.map(({ text }) => text)).toEqual([
      `DMS_CLIENT_CERT_FILE: CN=issued-1, valid until ${tomorrow}, ${both}`,
      `DMS_CLIENT_CERT_FILE: CN=authority, valid until ${tomorrow}, ${both}`,
    ]);
  });

  it('warn of certificates that have expired, are not valid yet or are self-signed', () => {
    const authority = createAuthority();
    const expired = authority.issue({ name: 'old', validity: ['20200101', '20200102'] });
    expect(open(expired).files.warnings).toEqual([
      `DMS_CLIENT_CERT_FILE: CN=old, valid until 2020-01-02, ${expired.cert}: it has expired`,
    ]);
    const early = authority.issue({ name: 'new', validity: ['20480101', '20480102'] });
    expect(open(early).files.warnings).toEqual([
      `DMS_CLIENT_CERT_FILE: CN=new, valid until 2048-01-02, ${early.cert}: it is not valid before 2048-01-01`,
    ]);
    expect(open({ cert: authority.cert, key: authority.key }).files.warnings).toEqual([
      `DMS_CLIENT_CERT_FILE: CN=authority, valid until ${tomorrow}, ${authority.cert}: it is self-signed`,
    ]);
    expect(open({ ca: expired.cert }).files.warnings).toEqual([
      `DMS_CA_FILE: CN=old, valid until 2020-01-02, ${expired.cert}: it has expired`,
    ]);
  });

  it('warn of a certificate whose dates are invalid', () => {
    const { cert } = createAuthority().issue();
    const invalid = replaceFile(cert, withInvalidDate(readFileSync(cert, 'utf8')));
    expect(open({ ca: invalid }).files.warnings).toEqual([
      `DMS_CA_FILE: CN=issued-1, valid until an invalid date, ${cert}: its dates are invalid`,
    ]);
  });

  it('decrypt a key with its passphrase', () => {
    const { cert, key } = createAuthority().issue();
    const encrypted = encryptKey(key, 'open-sesame');
    expect(open({ cert, key: encrypted, passphrase: 'open-sesame' }).files.context).toBeDefined();
  });
});

describe('a file that cannot be used', () => {
  const pem = (label: string, text: string): string =>
    `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`;

  it.each<readonly [string, (own: Certificate, other: Certificate) => Files, RegExp]>([
    [
      'does not exist',
      () => ({ ca: '/none/ca' }),
      /^DMS_CA_FILE cannot be read: ENOENT, \/none\/ca$/,
    ],
    [
      'is a directory',
      () => ({ ca: '/' }),
      /^DMS_CA_FILE must be a regular file of at most 1048576 bytes: \/$/,
    ],
    [
      'is no PEM',
      ({ key }) => ({ ca: key }),
      /^DMS_CA_FILE contains no certificate in PEM: \S+\.key$/,
    ],
    [
      'has a broken certificate',
      ({ cert }) => ({
        ca: replaceFile(cert, readFileSync(cert, 'utf8') + pem('CERTIFICATE', 'AAAA')),
      }),
      /^DMS_CA_FILE: certificate 2 cannot be read: \S+\.pem$/,
    ],
    [
      'has an incomplete certificate',
      ({ cert }, other) => {
        const half = readFileSync(other.cert, 'utf8').slice(0, 100);
        return { ca: replaceFile(cert, half + readFileSync(cert, 'utf8')) };
      },
      /^DMS_CA_FILE: certificate 1 cannot be read: \S+\.pem$/,
    ],
    [
      'has no key',
      ({ cert }) => ({ cert, key: cert }),
      /^DMS_CLIENT_KEY_FILE contains no private key in PEM: \S+\.pem$/,
    ],
    [
      'has the key of another certificate',
      ({ cert }, { key }) => ({ cert, key }),
      /^DMS_CLIENT_KEY_FILE is not the key of DMS_CLIENT_CERT_FILE: CN=issued-1, valid until \d{4}-\d\d-\d\d, \S+\.pem: \S+\.key$/,
    ],
    [
      'is encrypted',
      ({ cert, key }) => ({ cert, key: encryptKey(key, 'hunter2') }),
      /^DMS_CLIENT_KEY_FILE is encrypted, and no passphrase is set: \S+$/,
    ],
    [
      'is encrypted with another passphrase',
      ({ cert, key }) => ({ cert, key: encryptKey(key, 'hunter2'), passphrase: 'hunter3' }),
      /^DMS_CLIENT_KEY_FILE cannot be decrypted with the passphrase: \S+$/,
    ],
  ])('is named if it %s', (_what, filesOf, message) => {
    const authority = createAuthority();
    const files = filesOf(authority.issue(), authority.issue());
    expect(() => open(files)).toThrow(message);
    expect(() => open(files)).not.toThrow('hunter');
  });

  it('is used once it is complete, with the passphrase that has changed before', () => {
    const { cert, key } = createAuthority().issue();
    const path = encryptKey(key, 'first');
    const { files, write } = open({ cert, key: path, passphrase: 'first' });
    const next = readFileSync(encryptKey(key, 'second'), 'utf8');
    writeFileSync(path, next.slice(0, 100));
    files.reload('second');
    writeFileSync(path, next);
    files.reload();
    expect(write.mock.calls.map(([, message]) => message)).toEqual([
      'TLS files not reloaded',
      'TLS files reloaded',
    ]);
  });

  it('changes nothing when it is read again, and is reported once', () => {
    fakeTimers('setInterval');
    const { cert, key } = createAuthority().issue();
    const { files, write } = open({ cert, key });
    const before = files.context;
    rmSync(key);
    const failure = Object.assign(new Error('alert'), {
      code: 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    });
    vi.advanceTimersByTime(120_000);
    files.failed(failure);
    files.failed(failure);
    expect(files.context).toBe(before);
    const messages = write.mock.calls.map(([level, message]) => [level, message]);
    expect(messages).toEqual([
      ['warn', 'TLS files not reloaded'],
      ['warn', 'TLS connection to the DMS failed'],
    ]);
  });
});

describe('the failure of a connection', () => {
  const failureWith = (code: string) => Object.assign(new Error(code), { code });

  it('is reported once for each reason, until a connection succeeds', () => {
    const { cert } = createAuthority();
    const { files, write } = open({ ca: cert });
    for (const code of ['CERT_HAS_EXPIRED', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT']) {
      files.failed(failureWith(code));
    }
    files.succeeded();
    files.failed(failureWith('DEPTH_ZERO_SELF_SIGNED_CERT'));
    const certificates = [`DMS_CA_FILE: CN=authority, valid until ${tomorrow}, ${cert}`];
    expect(write.mock.calls).toEqual(
      ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'DEPTH_ZERO_SELF_SIGNED_CERT'].map(
        (reason) => ['warn', 'TLS connection to the DMS failed', { reason, certificates }],
      ),
    );
  });

  it('is not reported if TLS is not the reason', () => {
    const { cert } = createAuthority();
    const { files, write } = open({ ca: cert });
    files.failed(failureWith('ECONNREFUSED'));
    expect(write).not.toHaveBeenCalled();
  });
});

it('files that have changed are used within a minute', () => {
  fakeTimers('setInterval');
  const { cert } = createAuthority();
  const { files, write } = open({ ca: cert });
  const before = files.context;
  copyFileSync(createAuthority('other').cert, cert);
  vi.advanceTimersByTime(59_999);
  expect(files.context).toBe(before);
  vi.advanceTimersByTime(1);
  expect(files.context).not.toBe(before);
  vi.advanceTimersByTime(60_000);
  expect(write.mock.calls).toEqual([['info', 'TLS files reloaded', { changed: ['DMS_CA_FILE'] }]]);
});
