import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { Agent, request } from 'undici';

export interface IssuerKeysOptions {
  readonly url: string;
  /** Milliseconds after a fetch in which an unknown key id causes no other. Default 10,000. */
  readonly cooldownMs?: number;
  /** Longest fetch, in ms. Default 5000. */
  readonly timeoutMs?: number;
  /** Pause after a fetch that fails, in ms; it doubles with each further one, up to half a minute. Default 1000. */
  readonly backOffMs?: number;
  /** Throws if the token would be rejected whatever its signature is: such a token causes no fetch. */
  readonly precheck: (token: FlattenedJWSInput) => void;
  /** Told of each fetch that fails, and of the age of the keys that stay in use; null if there are none. */
  readonly onFailure: (cause: unknown, keysAgeMs: number | null) => void;
}

/** Busy gateways fetch this often, and nobody waits for it. */
const refreshAfterMs = 5 * 60_000;
/** Older keys are used only if a fetch fails: a key that was withdrawn an hour ago must not open a quiet gateway. */
const waitAfterMs = 10 * 60_000;
/** How long keys are used while their issuer is away. */
const maxAgeMs = 24 * 3_600_000;
const maxBackOffMs = 30_000;
const maxBytes = 256 * 1024;

/**
 * Gives the key that a token names, out of the set that its issuer publishes. The set is fetched when the first token
 * comes, again when it gets old, and when a token names an unknown key. While the issuer is away the known keys are used
 * for up to a day, and no request waits for a fetch. There is one fetch at a time.
 *
 * The function throws one of jose's errors if no key of the set fits, and a plain one if there is no set to look in.
 */
export function createIssuerKeys(options: IssuerKeysOptions): JWTVerifyGetKey {
  const keys = new IssuerKeys(options);
  return (header, token) => keys.find(header, token);
}

type LocalKeys = ReturnType<typeof createLocalJWKSet>;

class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  readonly #dispatcher: Agent;
  #keys: LocalKeys | null = null;
  /** On both clocks: the monotonic one stands still while a machine sleeps, and the other one can be set. */
  #fetchedAt = { monotonicMs: 0, wallMs: 0 };
  #fetching: Promise<void> | null = null;
  /** On the monotonic clock. */
  #nextFetchAtMs = 0;
  /** Fetches that failed since the last one that did not. */
  #failures = 0;
  #lastFailure: unknown;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#dispatcher = new Agent({
      connections: 1,
      pipelining: 0, // the next fetch is minutes away: the connection is closed
      connectTimeout: options.timeoutMs ?? 5000,
      maxResponseSize: maxBytes,
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
      // The token may be signed with a key that is newer than the last fetch.
      if (this.#failures > 0) throw this.#unavailable();
      return this.#keys(header, token);
    }
  };

  /** Infinity if there are no keys. */
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

  /** Waits, but not if the last fetch failed: this one is likely to fail too, and may take its whole time limit. */
  async #unlessFailing(fetching: Promise<void> | null): Promise<void> {
    if (this.#failures === 0) await fetching;
  }

  /** The fetch under way, or a new one; null if it is too early for another. */
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
    const { cooldownMs = 10_000, backOffMs = 1000, onFailure } = this.#options;
    try {
      this.#keys = createLocalJWKSet(await this.#download());
      this.#fetchedAt = { monotonicMs: performance.now(), wallMs: Date.now() };
      this.#failures = 0;
      this.#nextFetchAtMs = performance.now() + cooldownMs;
    } catch (cause) {
      const pauseMs = Math.min(maxBackOffMs, backOffMs * 2 ** this.#failures);
      const minPauseMs = this.#keys === null ? 0 : cooldownMs;
      this.#failures += 1;
      this.#lastFailure = cause;
      // Between half of it and all: replicas that lost their issuer at the same moment do not come back at the same one.
      this.#nextFetchAtMs =
        performance.now() + Math.max(minPauseMs, pauseMs * (0.5 + Math.random() / 2));
      onFailure(cause, this.#keys === null ? null : this.#ageMs());
    }
  }

  async #download(): Promise<JSONWebKeySet> {
    const { url, timeoutMs = 5000 } = this.#options;
    // undici's `request` follows no redirect: keys come from the address that was set, or not at all.
    const { statusCode, body } = await request(url, {
      dispatcher: this.#dispatcher,
      headers: { accept: 'application/json, application/jwk-set+json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`The key URL responded with status ${statusCode} instead of 200.`);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- createLocalJWKSet checks it
    return (await body.json()) as JSONWebKeySet;
  }
}
