import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment, readSettings } from '../../src/features/settings.ts';
import { temporaryFile } from '../helpers/temporary-directory.ts';

const DMS_URL = 'http://dms';
const long = 's'.repeat(32);

/** The path of a file with this text, which by default only its owner can read. */
function fileWith(text: string | Buffer, mode = 0o600): string {
  const path = temporaryFile('secret', text);
  chmodSync(path, mode);
  return path;
}

/** The path of a pipe that nobody writes to. */
function pipe(): string {
  const path = `${fileWith('')}-pipe`;
  execFileSync('mkfifo', [path]);
  return path;
}

describe('a secret in a file', () => {
  it('begins after a byte order mark', () => {
    const FILE_URL_SECRET_FILE = fileWith(`\u{feff}${long}`);
    expect(readEnvironment({ DMS_URL, FILE_URL_SECRET_FILE }).fileUrlSecret).toBe(long);
  });

  it.each(['', '\n', '\r\n'])('is the text of the file before a final %j', (end) => {
    const service = { DMS_URL, IDENTITY: 'service' };
    const config = readEnvironment({
      ...service,
      DMS_AUTHORIZATION_FILE: fileWith(`Bearer abc${end}`),
      FILE_URL_SECRET_FILE: fileWith(` ${long}${end}`),
      HTTPS_PROXY_FILE: fileWith(`http://:pw@proxy:3128/${end}`),
    });
    expect(config).toMatchObject({
      credential: { kind: 'fixed', authorization: 'Bearer abc' },
      fileUrlSecret: ` ${long}`,
      httpsProxy: 'http://:pw@proxy:3128/',
      warnings: [],
    });
  });

  it.runIf(process.platform !== 'win32').each([
    ['read', 0o604],
    ['write', 0o602],
    ['read and write', 0o666],
  ])('that every user can %s is used, with a warning', (can, mode) => {
    const path = fileWith(long, mode);
    const link = `${path}-link`;
    symlinkSync(path, link);
    const { fileUrlSecret, warnings } = readEnvironment({ DMS_URL, FILE_URL_SECRET_FILE: link });
    expect(fileUrlSecret).toBe(long);
    expect(warnings).toEqual([
      `FILE_URL_SECRET_FILE: every user can ${can} ${link}. Run \`chmod o-rw\``,
    ]);
  });

  it('that others cannot read or write needs no warning', () => {
    for (const mode of [0o400, 0o440, 0o660, 0o711]) {
      const FILE_URL_SECRET_FILE = fileWith(long, mode);
      expect(readEnvironment({ DMS_URL, FILE_URL_SECRET_FILE }).warnings).toEqual([]);
    }
  });

  it('can be a key with several lines, or that of tokens', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const config = readEnvironment({
      DMS_URL,
      IDENTITY: 'jwt',
      JWT_SECRET_FILE: fileWith(long),
      DMS_ACCOUNT_ID: 'api-1',
      DMS_ACCOUNT_ALG: 'ES256',
      DMS_ACCOUNT_KEY_FILE: fileWith(key),
    });
    expect(config).toMatchObject({
      identity: { secret: long },
      credential: { kind: 'signed', key: key.trimEnd() },
    });
  });

  it('takes precedence over the configuration file', () => {
    const settings = { DMS_URL, IDENTITY: 'service', DMS_AUTHORIZATION: 'of the file' } as const;
    const DMS_AUTHORIZATION_FILE = fileWith('of the environment');
    const { credential } = readEnvironment({ DMS_AUTHORIZATION_FILE }, settings);
    expect(credential).toMatchObject({ authorization: 'of the environment' });
  });

  it('is unset if the variable is empty', () => {
    expect(readEnvironment({ DMS_URL, FILE_URL_SECRET_FILE: '' }).fileUrlSecret).toBeNull();
  });

  it('cannot be a setting of a program', () => {
    const settings = { FILE_URL_SECRET_FILE: fileWith(long) };
    expect(() => readSettings(settings as object)).toThrow('FILE_URL_SECRET_FILE is not a setting');
  });
});

describe('the variables of secret files', () => {
  it('are named if a file cannot be used, without its text', () => {
    const directory = join(fileWith('x'), '..');
    const env = {
      DMS_URL,
      IDENTITY: 'jwt',
      JWT_SECRET_FILE: '/none/jwt',
      DMS_AUTHORIZATION_FILE: directory,
      FILE_URL_SECRET_FILE: fileWith('\n'),
      HTTPS_PROXY: 'hunter1',
      HTTPS_PROXY_FILE: fileWith('hunter2'),
      HTTP_PROXY_FILE: fileWith('hunter3:x'),
    };
    expect(() => readEnvironment(env)).toThrow(
      [
        'Invalid settings:',
        `  DMS_AUTHORIZATION_FILE must be a regular file of at most 65536 bytes: ${directory}`,
        `  FILE_URL_SECRET_FILE is empty: ${env.FILE_URL_SECRET_FILE}`,
        '  JWT_SECRET_FILE cannot be read: ENOENT, /none/jwt',
        '  HTTPS_PROXY_FILE cannot be used with HTTPS_PROXY',
        '  HTTP_PROXY must be the URL of a proxy without a path, such as http://proxy.example:3128',
      ].join('\n'),
    );
  });

  it.each([
    { name: 'a pipe', create: pipe },
    { name: 'a device', create: () => '/dev/zero' },
    { name: 'huge', create: () => fileWith('s'.repeat(2 ** 16 + 1)) },
  ])('are named if the file is $name', ({ create }) => {
    const path = create();
    expect(() => readEnvironment({ DMS_URL, FILE_URL_SECRET_FILE: path })).toThrow(
      `FILE_URL_SECRET_FILE must be a regular file of at most 65536 bytes: ${path}`,
    );
  });

  it('are named if the file is not text', () => {
    const path = fileWith(Buffer.from([0xff, 0xfe, 0x80]));
    expect(() => readEnvironment({ DMS_URL, FILE_URL_SECRET_FILE: path })).toThrow(
      `FILE_URL_SECRET_FILE cannot be read: ERR_ENCODING_INVALID_ENCODED_DATA, ${path}`,
    );
  });

  it('are suggested for names that are nearly theirs', () => {
    const { warnings } = readEnvironment({
      DMS_URL,
      JWT_SECRET_FIL: 'x',
      FILE_URL_SECRETFILE: 'x',
    });
    expect(warnings).toEqual([
      'JWT_SECRET_FIL is not a setting: did you mean JWT_SECRET_FILE?',
      'FILE_URL_SECRETFILE is not a setting: did you mean FILE_URL_SECRET_FILE?',
    ]);
  });
});
