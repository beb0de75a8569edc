import type { Config } from '../config/read-config.ts';
import type { IdentityMode } from '../model/identity.ts';
import type { TlsSource } from '../rest/index.ts';

/** The settings of a gateway, and what has no setting. */
export interface GatewayOptions extends Config {
  readonly identity: IdentityMode & KeyFetchOptions;
}

/** How the keys of the token issuer are fetched. */
export interface KeyFetchOptions {
  /** Minimum interval between fetches for unknown key IDs, in milliseconds. Default 10,000. */
  readonly jwksCooldownMs?: number;
  /** Time limit of a fetch, in milliseconds. Default 5000. */
  readonly jwksTimeoutMs?: number;
  /** Delay after a failed fetch, in milliseconds. Doubles with each failure, up to 30 s. Default 1000. */
  readonly jwksBackOffMs?: number;
  /** The certificates of the connections to the issuer. Default: those that Node trusts. */
  readonly jwksTls?: TlsSource | undefined;
}
