import { createPrivateKey, createSecretKey, hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Credential } from '../../model/identity.ts';
import type { Caller } from '../../rest/index.ts';

export type ServiceAccount = Pick<Caller, 'key' | 'authorization' | 'onUnauthorized'>;

interface SignedToken {
  readonly authorization: Promise<string>;
  readonly signedAtMs: number;
}

const lifeS = 300; // the maximum that the DMS accepts
const backdatedS = 10; // for a DMS whose clock is behind
const reusedMs = 120_000;

export function createServiceAccount(credential: Credential): ServiceAccount {
  const key = hash('sha256', JSON.stringify(credential), 'base64url');
  if (credential.kind === 'signed') return { key, ...signer(credential) };
  return { key, authorization: credential.authorization };
}

/**
 * Signs calls with a JWT. A token is valid for one method and path only, which limits the damage of a leak. A call that
 * is repeated within two minutes uses the same token. A token is replaced after a 401, and when the system clock was
 * changed, because `nbf` and `exp` depend on it.
 */
function signer(credential: Extract<Credential, { kind: 'signed' }>): Omit<ServiceAccount, 'key'> {
  const { accountId, algorithm } = credential;
  const key = algorithm.startsWith('HS')
    ? createSecretKey(credential.key, 'utf8')
    : createPrivateKey(credential.key);
  const library = import('jose'); // loaded only if needed, which shortens the start
  // The `ttl` of the cache uses a monotonic clock.
  const signed = new LRUCache<string, SignedToken>({ max: 2000, ttl: reusedMs });

  const sign = async (audience: string, nowMs: number): Promise<string> => {
    const from = Math.floor(nowMs / 1000) - backdatedS;
    const { SignJWT } = await library;
    const token = await new SignJWT()
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(accountId)
      .setAudience(audience)
      .setIssuedAt(from)
      .setNotBefore(from)
      .setExpirationTime(from + lifeS)
      .sign(key);
    return `Bearer ${token}`;
  };

  return {
    authorization(method, path) {
      const audience = `${method}:${path}`;
      const known = signed.get(audience);
      if (known !== undefined && isYounger(known.signedAtMs, reusedMs)) return known.authorization;
      const signedAtMs = Date.now();
      const authorization = sign(audience, signedAtMs);
      signed.set(audience, { authorization, signedAtMs });
      authorization.catch(() => signed.delete(audience)); // failures are not cached
      return authorization;
    },
    onUnauthorized(method, path) {
      signed.delete(`${method}:${path}`);
    },
  };
}

/**
 * Whether `sinceMs` is less than `maxAgeMs` ago by the system clock, which can be changed but does not stop while the
 * machine is suspended. False if `sinceMs` is in the future, because the clock was set back.
 */
export function isYounger(sinceMs: number, maxAgeMs: number): boolean {
  const ageMs = Date.now() - sinceMs;
  return ageMs >= 0 && ageMs < maxAgeMs;
}
