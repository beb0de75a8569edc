import { createPrivateKey, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';

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

/** Gives the Authorization header of one call; `path` is without the query. */
export type Authorize = (method: string, path: string) => string | Promise<string>;

const lifeS = 300; // the most that the service accepts
const backdatedS = 10; // for a service whose clock is behind ours
const reusedMs = 120_000;

export function createAuthorize(credential: Credential): Authorize {
  if (credential.kind === 'fixed') return () => credential.authorization;
  return signer(credential);
}

/**
 * A token holds for one method and path only, so that one that leaks opens nothing else; the same call made
 * again soon gets the same token.
 */
function signer(credential: Extract<Credential, { kind: 'signed' }>): Authorize {
  const { accountId, algorithm } = credential;
  const key = algorithm.startsWith('HS')
    ? createSecretKey(credential.key, 'utf8')
    : createPrivateKey(credential.key);
  const library = import('jose'); // only who signs needs it: a start without it is shorter
  const signed = new LRUCache<string, Promise<string>>({ max: 2000, ttl: reusedMs });

  const sign = async (audience: string): Promise<string> => {
    const from = Math.floor(Date.now() / 1000) - backdatedS;
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

  return (method, path) => {
    const audience = `${method}:${path}`;
    const known = signed.get(audience);
    if (known !== undefined) return known;
    const fresh = sign(audience);
    signed.set(audience, fresh);
    fresh.catch(() => signed.delete(audience)); // a failure is not kept
    return fresh;
  };
}
