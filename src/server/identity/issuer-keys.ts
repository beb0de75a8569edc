import { KeyObject } from 'node:crypto';
import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { messageOf } from '../../model/common.ts';
import { createJsonReader, type TlsSource } from '../../rest/index.ts';

export interface KeyFetchOptions {
  readonly jwksCooldownMs?: number;
  readonly jwksTimeoutMs?: number;
  readonly jwksBackOffMs?: number;
  readonly jwksTls?: TlsSource | undefined;
}

interface IssuerKeysOptions extends KeyFetchOptions {
  readonly url: string;
  readonly proxy?: string | null | undefined;
  readonly precheck: (token: FlattenedJWSInput) => void;
  readonly onFailure: (cause: unknown, keysAgeMs: number | null) => void;
  /** Called if keys cannot be used, and again when those have changed, with a text for each of the first ones. */
  readonly onUnusable: (count: number, keys: readonly string[]) => void;
}

const refreshAfterMs = 5 * 60_000;
/**
 * Age at which requests wait for a refresh, so that a gateway without traffic does not accept a key that was revoked
 * long ago. If the refresh fails, the cached keys are used.
 */
const waitAfterMs = 10 * 60_000;
const maxAgeMs = 24 * 3_600_000;
const maxBackOffMs = 30_000;
const maxBytes = 256 * 1024;
const maxKeys = 100;
const maxImports = 500;
const minRsaBits = 2048; // RFC 7518, 3.3
const maxReported = 10;

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

/**
 * While the issuer is unavailable, the cached keys are used for up to a day, and requests do not wait for fetches.
 * Only one fetch runs at a time.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #read: () => Promise<unknown>;
  #keys: LocalKeys | null = null;
  #fetchedAt = { monotonicMs: 0, wallMs: 0 };
  #fetching: Promise<void> | null = null;
  #nextFetchAtMs = 0;
  #failures = 0;
  #lastFailure: unknown;
  #reported = '';

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#read = createJsonReader(options.url, {
      accept: 'application/json, application/jwk-set+json',
      timeoutMs: options.jwksTimeoutMs ?? 5000,
      maxBytes,
      proxy: options.proxy,
      tls: options.jwksTls,
    });
  }

  readonly find: JWTVerifyGetKey = async (header, token) => {
    const ageMs = this.#ageMs();
    if (ageMs >= refreshAfterMs) {
      const fetching = this.#fetchFor(token);
      if (ageMs >= waitAfterMs) await this.#unlessFailing(fetching);
    }
    if (this.#ageMs() >= maxAgeMs || this.#keys === null) throw this.#unavailable();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#unlessFailing(this.#fetchFor(token));
      // The token can be signed with a key that is newer than the last successful fetch.
      if (this.#failures > 0) throw this.#unavailable();
      return this.#keys(header, token);
    }
  };

  #ageMs(): number {
    if (this.#keys === null) return Infinity;
    const { monotonicMs, wallMs } = this.#fetchedAt;
    return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
  }

  #unavailable(): Error {
    return new Error('The keys of the token issuer could not be fetched.', {
      cause: this.#lastFailure,
    });
  }

  async #unlessFailing(fetching: Promise<void> | null): Promise<void> {
    if (this.#failures === 0) await fetching;
  }

  #fetchFor(token: FlattenedJWSInput): Promise<void> | null {
    this.#options.precheck(token);
    if (this.#fetching === null && performance.now() >= this.#nextFetchAtMs) {
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = null;
      });
    }
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const { jwksCooldownMs: cooldownMs = 10_000, jwksBackOffMs = 1000, onFailure } = this.#options;
    try {
      const { usable, unusable } = await classified(await this.#download());
      this.#keys = createLocalJWKSet({ keys: usable });
      this.#report(unusable);
      this.#fetchedAt = { monotonicMs: performance.now(), wallMs: Date.now() };
      this.#failures = 0;
      this.#nextFetchAtMs = performance.now() + cooldownMs;
    } catch (cause) {
      const pauseMs = Math.min(maxBackOffMs, jwksBackOffMs * 2 ** this.#failures);
      const minPauseMs = this.#keys === null ? 0 : cooldownMs;
      this.#failures += 1;
      this.#lastFailure = cause;
      // Jitter: replicas that lost the issuer at the same time do not retry at the same time.
      this.#nextFetchAtMs =
        performance.now() + Math.max(minPauseMs, pauseMs * (0.5 + Math.random() / 2));
      onFailure(cause, this.#keys === null ? null : this.#ageMs());
    }
  }

  #report(unusable: readonly string[]): void {
    const text = unusable.join('\n');
    if (text !== this.#reported && text !== '') {
      this.#options.onUnusable(unusable.length, unusable.slice(0, maxReported));
    }
    this.#reported = text;
  }

  async #download(): Promise<readonly JWK[]> {
    const { keys } = Object(await this.#read()) as { readonly keys?: unknown };
    if (Array.isArray(keys)) return keys;
    throw new Error('The key URL did not return a key set.');
  }
}

/**
 * Separates the keys that can be used: one that cannot, such as a key that is too short, must not affect the others.
 * Keys for encryption are in neither list.
 */
async function classified(keys: readonly JWK[]) {
  const usable: JWK[] = [];
  const unusable: string[] = [];
  for (const [index, key] of keys.entries()) {
    const { use, kid } = Object(key) as JWK;
    if (use === 'enc') continue;
    const isTooMany = usable.length === maxKeys || index >= maxImports;
    const reason = isTooMany ? 'too many keys' : await unusableReason(key);
    if (reason === null) usable.push(key);
    else unusable.push(`${typeof kid === 'string' ? kid : index}: ${reason}`.slice(0, 200));
  }
  return { usable, unusable };
}

const algorithms = new Map([
  ['RSA', 'RS256'],
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
  ['Ed25519', 'EdDSA'],
]);

/** Returns why a key cannot verify signatures. Null if it can. */
async function unusableReason(key: JWK): Promise<string | null> {
  try {
    const find = createLocalJWKSet({ keys: [key] });
    const alg = key.alg ?? algorithms.get(key.kty === 'RSA' ? key.kty : (key.crv ?? '')) ?? '';
    const { asymmetricKeyDetails } = KeyObject.from(await find({ alg }));
    const { modulusLength = minRsaBits } = asymmetricKeyDetails ?? {};
    return modulusLength < minRsaBits ? `fewer than ${minRsaBits} bits` : null;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'type, algorithm and use do not match';
    return messageOf(error);
  }
}
