import { createPrivateKey, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../rest/client/caller.ts';
import { isYounger } from './wall-clock.ts';

/** How the service account proves itself: one header for all calls, or a token signed for each. */
export type Credential =
  | { readonly kind: 'fixed'; readonly authorization: string }
  | {
      readonly kind: 'signed';
      readonly accountId: string;
      /** A shared secret for HS algorithms, PKCS 8 PEM for the others. */
      readonly key: string;
      readonly algorithm: string;
    };

/** How calls of the service account are authorized, whomever they run as. */
export type ServiceAccount = Required<Pick<Caller, 'authorize' | 'onUnauthorized'>>;

interface SignedToken {
  readonly authorization: Promise<string>;
  readonly signedAtMs: number;
}

const lifeS = 300; // the most that the service accepts
const backdatedS = 10; // for a service whose clock is behind ours
const reusedMs = 120_000;

/** Loads `jose` only if calls are signed. */
export function createServiceAccount(credential: Credential): ServiceAccount {
  if (credential.kind === 'signed') return signer(credential);
  return { authorize: () => credential.authorization, onUnauthorized() {} };
}

/**
 * A token holds for one method and path only, so that one that leaks opens nothing else; the same call made
 * again soon gets the same token. A token is signed anew after a 401, and if the clock was set meanwhile: its `nbf` and
 * `exp` are times of the clock as it was.
 */
function signer(credential: Extract<Credential, { kind: 'signed' }>): ServiceAccount {
  const { accountId, algorithm } = credential;
  const key = algorithm.startsWith('HS')
    ? createSecretKey(credential.key, 'utf8')
    : createPrivateKey(credential.key);
  const library = import('jose'); // only who signs needs it: a start without it is shorter
  // Its `ttl` is measured on a clock that nobody can set.
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
    authorize(method, path) {
      const audience = `${method}:${path}`;
      const known = signed.get(audience);
      if (known !== undefined && isYounger(known.signedAtMs, reusedMs)) return known.authorization;
      const signedAtMs = Date.now();
      const authorization = sign(audience, signedAtMs);
      signed.set(audience, { authorization, signedAtMs });
      authorization.catch(() => signed.delete(audience)); // a failure is not kept
      return authorization;
    },
    onUnauthorized(method, path) {
      signed.delete(`${method}:${path}`);
    },
  };
}
