import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { Agent, request } from 'undici';
import type { KeyFetchLimits } from '../options.ts';

interface IssuerKeysOptions extends KeyFetchLimits {
  readonly url: string;
  /** Throws if the token is invalid regardless of its signature. Such a token causes no fetch. */
  readonly precheck: (token: FlattenedJWSInput) => void;
  /** Called after each failed fetch with the age of the cached keys, or null if there are none. */
  readonly onFailure: (cause: unknown, keysAgeMs: number | null) => void;
}

/** Age at which keys are refreshed in the background. */
const refreshAfterMs = 5 * 60_000;
/**
 * Age at which requests wait for a refresh, so that a gateway without traffic does not accept a key that was revoked
 * long ago. If the refresh fails, the cached keys are used.
 */
const waitAfterMs = 10 * 60_000;
/** Maximum age of keys while the issuer is unavailable. */
const maxAgeMs = 24 * 3_600_000;
const maxBackOffMs = 30_000;
const maxBytes = 256 * 1024;
/** Every token is compared with each key, and few issuers have more than ten. */
const maxKeys = 500;

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

/**
 * Finds the key of a token in the issuer's key set. The set is fetched for the first token, again when it is too old,
 * and when a token has an unknown key ID. While the issuer is unavailable, the cached keys are used for up to a day, and
 * requests do not wait for fetches. Only one fetch runs at a time.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #dispatcher: Agent;
  #keys: LocalKeys | null = null;
  /**
   * Time of the last fetch on two clocks: the monotonic clock stops while the machine is suspended, and the system
   * clock can be changed.
   */
  #fetchedAt = { monotonicMs: 0, wallMs: 0 };
  #fetching: Promise<void> | null = null;
  /** Time on the monotonic clock. */
  #nextFetchAtMs = 0;
  /** Number of consecutive failed fetches. */
  #failures = 0;
  #lastFailure: unknown;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#dispatcher = new Agent({
      connections: 1,
      pipelining: 0, // the connection is closed, because the next fetch is minutes away
      connectTimeout: options.jwksTimeoutMs ?? 5000,
      maxResponseSize: maxBytes,
    });
  }

  /** @throws one of jose's errors if no key matches, and a plain Error if there is no key set */
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

  /** Age of the cached keys. Infinity if there are none. */
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

  /**
   * Waits for a fetch, unless the last one failed: this one is likely to fail too, possibly only after its time limit.
   */
  async #unlessFailing(fetching: Promise<void> | null): Promise<void> {
    if (this.#failures === 0) await fetching;
  }

  /** Returns the running fetch or starts one. Null if it is too early. */
  #fetchFor(token: FlattenedJWSInput): Promise<void> | null {
    this.#options.precheck(token);
    if (this.#fetching === null && performance.now() >= this.#nextFetchAtMs) {
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = null;
      });
    }
    return this.#fetching;
  }

  /** Never rejects. */
  async #fetch(): Promise<void> {
    const { jwksCooldownMs: cooldownMs = 10_000, jwksBackOffMs = 1000, onFailure } = this.#options;
    try {
      this.#keys = createLocalJWKSet(await this.#download());
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

  async #download(): Promise<JSONWebKeySet> {
    const { url, jwksTimeoutMs = 5000 } = this.#options;
    // undici's `request` follows no redirects, so keys only come from the configured URL.
    const { statusCode, body } = await request(url, {
      dispatcher: this.#dispatcher,
      headers: { accept: 'application/json, application/jwk-set+json' },
      signal: AbortSignal.timeout(jwksTimeoutMs),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`The key URL responded with status ${statusCode} instead of 200.`);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- createLocalJWKSet checks it
    const keySet = (await body.json()) as JSONWebKeySet;
    const count = Array.isArray(keySet?.keys) ? keySet.keys.length : 0;
    if (count > maxKeys) {
      throw new Error(`The key URL has ${count} keys. At most ${maxKeys} are accepted.`);
    }
    return keySet;
  }
}
