import { createPublicKey, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import {
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  SignJWT,
  type CryptoKey,
  type JWK,
} from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createVerifyToken } from '../../../src/server/identity/jwt.ts';
import { startKeyServer } from '../../helpers/key-server.ts';

const claims = { email: 'ann@example.com', iss: 'https://id.example', aud: 'gateway' };
const user = { runAs: 'ann@example.com' };
const invalid = { status: 401, code: 'UNAUTHENTICATED' };

/** Reads the keys at the URL, without a pause between fetches. */
function startVerifying(jwksUrl: string) {
  const log: Record<string, unknown>[] = [];
  const verify = createVerifyToken(
    {
      secret: null,
      jwksUrl,
      issuer: claims.iss,
      audience: claims.aud,
      runAsClaim: 'email',
      jwksCooldownMs: 0,
      jwksTimeoutMs: 30_000,
    },
    (level, msg, fields) => void log.push({ level, msg, ...fields }),
  );
  return { verify, log };
}

let tokens = 0;

/** Signs a token that no other test has used, so that it is not cached. */
function sign(by: CryptoKey, alg: string, kid?: string): Promise<string> {
  tokens += 1;
  return new SignJWT({ ...claims, jti: String(tokens) })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .setExpirationTime('1h')
    .sign(by);
}

/** Counts the signatures that are verified until the end of the test. */
function countVerifications(): () => number {
  const spy = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.length;
}

const rsaKey = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const short = rsaKey(1024);
const shortKey = short.publicKey.export({ format: 'jwk' });
const long = rsaKey(2048);
const longKey = long.publicKey.export({ format: 'jwk' });
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'jwk',
});
const curveKey = (curve: string) =>
  generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ format: 'jwk' });

const unusable: readonly [string, unknown][] = [
  ['an RSA key of 1024 bits', { ...shortKey, use: 'sig' }],
  ['an RSA key of 1024 bits with its algorithm', { ...shortKey, alg: 'RS256' }],
  ['an RSA key with a malformed modulus', { ...longKey, n: '!' }],
  ['an RSA key with an empty modulus', { ...longKey, n: '' }],
  ['an RSA key without exponent', { kty: 'RSA', n: longKey['n'] }],
  ['an RSA key for an EC algorithm', { ...longKey, alg: 'ES256' }],
  ['an RSA key for an unknown algorithm', { ...longKey, alg: 'RS1' }],
  ['an RSA key whose algorithm is no text', { ...longKey, alg: null }],
  ['an RSA key with malformed operations', { ...longKey, key_ops: ['verify', 'verify'] }],
  ['an RSA key with operations of encryption', { ...longKey, key_ops: ['verify', 'decrypt'] }],
  ['a private RSA key', long.privateKey.export({ format: 'jwk' })],
  ['an EC point that is not on the curve', { ...ecKey, y: ecKey['x'] }],
  ['an EC key without a point', { kty: 'EC', crv: 'P-256' }],
  ['an EC key of an unsupported curve', curveKey('secp256k1')],
  ['an EC key of another curve', { ...curveKey('P-384'), alg: 'ES256' }],
  ['a key for key agreement', generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })],
  ['a shared secret', { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }],
  ['a key of an unknown type', { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA' }],
  ['a key with the name of an inherited property', { kty: 'EC', crv: 'constructor' }],
  ['a key whose ID is no text', { kid: { toString: 1 }, kty: 'RSA' }],
  ['an empty object', {}],
  ['null', null],
  ['a text', 'key'],
  ['a list', []],
];

describe('keys of an issuer that cannot be used', () => {
  it.each(unusable)('skips %s', async (_what, key) => {
    const keys = await startKeyServer();
    keys.put('bad', typeof key === 'object' && key !== null ? { kid: 'bad', ...key } : key);
    const good = await keys.add('good', 'RS256');
    const { verify, log } = startVerifying(keys.url);
    expect(await verify(await sign(good, 'RS256'))).toMatchObject(user);
    expect(await verify(await sign(good, 'RS256', 'good'))).toMatchObject(user);
    expect(log).toEqual([
      {
        level: 'warn',
        msg: 'keys of the token issuer cannot be used',
        count: 1,
        keys: [expect.any(String)],
      },
    ]);
  });

  it('rejects a token that such a key has signed', async () => {
    const keys = await startKeyServer();
    keys.put('short', { ...shortKey, kid: 'short', alg: 'RS256' });
    const good = await keys.add('good', 'RS256');
    const { verify } = startVerifying(keys.url);
    for (const kid of ['short', undefined]) {
      const [header, payload] = (await sign(good, 'RS256', kid)).split('.');
      const signed = signBytes('sha256', Buffer.from(`${header}.${payload}`), short.privateKey);
      const token = `${header}.${payload}.${signed.toString('base64url')}`;
      await expect(verify(token)).rejects.toMatchObject(invalid);
    }
  });

  it('says so once, and again when they have changed', async () => {
    const keys = await startKeyServer();
    keys.put('bad', { ...shortKey, kid: 'bad' });
    const good = await keys.add('good');
    const { verify, log } = startVerifying(keys.url);
    await verify(await sign(good, 'ES256'));
    for (const kid of ['x', 'y']) {
      await expect(verify(await sign(good, 'ES256', kid))).rejects.toMatchObject(invalid);
    }
    expect(keys.asked()).toBe(3);
    expect(log.map(({ count }) => count)).toEqual([1]);
    keys.put('worse', null);
    await expect(verify(await sign(good, 'ES256', 'z'))).rejects.toMatchObject(invalid);
    expect(log.map(({ count }) => count)).toEqual([1, 2]);
  });

  it('does not mention keys for encryption', async () => {
    const keys = await startKeyServer();
    const { publicKey } = await generateKeyPair('RSA-OAEP');
    keys.put('enc', { ...(await exportJWK(publicKey)), kid: 'enc', use: 'enc', alg: 'RSA-OAEP' });
    const good = await keys.add('good', 'RS256');
    const { verify, log } = startVerifying(keys.url);
    expect(await verify(await sign(good, 'RS256'))).toMatchObject(user);
    expect(log).toEqual([]);
  });

  it('shortens what the issuer says in the log', async () => {
    const keys = await startKeyServer();
    for (let index = 0; index < 30; index += 1) {
      keys.put(`bad-${index}`, { kty: 'RSA', kid: 'k'.repeat(5000) });
    }
    const good = await keys.add('good');
    const { verify, log } = startVerifying(keys.url);
    expect(await verify(await sign(good, 'ES256'))).toMatchObject(user);
    expect(log).toMatchObject([{ count: 30 }]);
    expect(JSON.stringify(log).length).toBeLessThan(4000);
  });
});

describe('several keys of an issuer', () => {
  it.each(['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'])(
    'tries every key of %s for a token without key ID',
    async (alg) => {
      const keys = await startKeyServer();
      for (let index = 0; index < 3; index += 1) await keys.add(`key-${index}`, alg);
      const last = await keys.add('last', alg);
      const { privateKey: foreign } = await generateKeyPair(alg);
      const { verify, log } = startVerifying(keys.url);
      const count = countVerifications();
      expect(await verify(await sign(last, alg))).toMatchObject(user);
      expect(count()).toBe(4);
      expect(await verify(await sign(last, alg, 'last'))).toMatchObject(user);
      expect(count()).toBe(5);
      await expect(verify(await sign(foreign, alg))).rejects.toMatchObject(invalid);
      expect(count()).toBe(9);
      expect(log).toEqual([]);
    },
  );

  it('tries every key with the ID of the token', async () => {
    const keys = await startKeyServer();
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    keys.put('other', { ...ecKey, kid: 'same' });
    keys.put('ours', { ...(await exportJWK(publicKey)), kid: 'same' });
    const { verify } = startVerifying(keys.url);
    expect(await verify(await sign(privateKey, 'ES256', 'same'))).toMatchObject(user);
  });

  it('uses the first 100 keys', async () => {
    const keys = await startKeyServer();
    for (let index = 0; index < 99; index += 1) keys.put(`key-${index}`, ecKey);
    const last = await keys.add('last');
    const beyond = await keys.add('beyond');
    const { verify, log } = startVerifying(keys.url);
    const count = countVerifications();
    expect(await verify(await sign(last, 'ES256'))).toMatchObject(user);
    expect(count()).toBe(100);
    await expect(verify(await sign(beyond, 'ES256'))).rejects.toMatchObject(invalid);
    expect(count()).toBe(200);
    await expect(verify(await sign(beyond, 'ES256', 'beyond'))).rejects.toMatchObject(invalid);
    expect(count()).toBe(200);
    expect(log).toMatchObject([{ count: 1, keys: [expect.stringContaining('beyond')] }]);
  });

  it('imports at most 500 keys', async () => {
    const keys = await startKeyServer();
    for (let index = 0; index < 5000; index += 1) keys.put(`bad-${index}`, { kty: 'EC' });
    const first = await keys.add('never');
    const { verify, log } = startVerifying(keys.url);
    const imported = vi.spyOn(crypto.subtle, 'importKey');
    onTestFinished(() => imported.mockRestore());
    await expect(verify(await sign(first, 'ES256'))).rejects.toMatchObject(invalid);
    expect(imported.mock.calls.length).toBeLessThanOrEqual(500);
    expect(log).toMatchObject([{ count: 5001 }]);
  });
});

describe('the algorithm of a token', () => {
  it('must be that of its key', async () => {
    const keys = await startKeyServer();
    const good = await keys.add('good', 'RS256');
    const { verify } = startVerifying(keys.url);
    const asPss = await importPKCS8(await exportPKCS8(good), 'PS256');
    for (const kid of ['good', undefined]) {
      expect(await verify(await sign(good, 'RS256', kid))).toMatchObject(user);
      await expect(verify(await sign(asPss, 'PS256', kid))).rejects.toMatchObject(invalid);
    }
  });

  it('is not one of a shared secret', async () => {
    const keys = await startKeyServer();
    const good = await keys.add('good', 'RS256');
    keys.put('oct', { kty: 'oct', kid: 'oct', k: 'c2VjcmV0' });
    const { verify } = startVerifying(keys.url);
    expect(await verify(await sign(good, 'RS256'))).toMatchObject(user);
    const published = (await (await fetch(keys.url)).json()) as { keys: JWK[] };
    const pem = await exportSPKI(createPublicKey({ key: published.keys[0]!, format: 'jwk' }));
    const secrets = ['secret', pem, pem.trim(), JSON.stringify(published.keys[0])];
    for (const secret of secrets) {
      for (const kid of ['good', 'oct', undefined]) {
        const forged = await sign(new TextEncoder().encode(secret) as never, 'HS256', kid);
        await expect(verify(forged)).rejects.toMatchObject(invalid);
      }
    }
    const [, payload] = (await sign(good, 'RS256')).split('.');
    const header = Buffer.from('{"alg":"none","kid":"good"}').toString('base64url');
    await expect(verify(`${header}.${payload}.`)).rejects.toMatchObject(invalid);
  });
});
