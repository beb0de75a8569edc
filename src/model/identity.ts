import { BlockList, isIP } from 'node:net';
import { hostOf } from './common.ts';

export type IdentityMode =
  | { readonly mode: 'passthrough' }
  | { readonly mode: 'service' }
  | ({ readonly mode: 'jwt' } & TokenRules);

export interface TokenRules {
  readonly secret: string | null;
  readonly jwksUrl: string | null;
  readonly jwksProxy?: string | null;
  readonly issuer: string | null;
  readonly audience: string | null;
  readonly runAsClaim: string;
}

export type Credential =
  | { readonly kind: 'fixed'; readonly authorization: string }
  | {
      readonly kind: 'signed';
      readonly accountId: string;
      readonly key: string;
      readonly algorithm: string;
    };

export interface ChangedSecrets {
  readonly jwtSecret: string | null;
  readonly fileUrlSecret: string | null;
  readonly dmsClientKeyPassphrase: string | null;
}

/**
 * Whether a value can be a run-as user: a system ID or an e-mail address. Only printable ASCII without spaces and
 * commas is allowed, so that it can neither end the header nor be read as two values.
 */
export function isRunAs(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x2b\x2d-\x7e]{1,256}$/.test(value);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a host is this machine: `localhost`, or a loopback address, which may be IPv4 in IPv6 or in brackets. */
export function isLoopback(host: string): boolean {
  const address = hostOf(host);
  const version = isIP(address);
  if (version === 0) return address.toLowerCase() === 'localhost';
  return loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
