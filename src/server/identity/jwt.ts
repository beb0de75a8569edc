import { createSecretKey } from 'node:crypto';
import {
  errors,
  jwtVerify,
  UnsecuredJWT,
  type FlattenedJWSInput,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { isRunAs, type TokenRules } from '../../model/identity.ts';
import type { Log } from '../telemetry/log.ts';
import { unauthenticated, unavailable, type HttpError } from '../errors/http-error.ts';
import { IssuerKeys, type KeyFetchOptions } from './issuer-keys.ts';
import { isYounger } from './service-account.ts';
import { messageOf } from '../../model/common.ts';

export type JwtOptions = TokenRules & KeyFetchOptions;

export interface TokenUser {
  readonly runAs: string;
  readonly expiresAtMs: number;
}

export type VerifyToken = (token: string) => TokenUser | Promise<TokenUser>;

interface VerifiedToken extends TokenUser {
  readonly verifiedAtMs: number;
  readonly forMs: number;
}

const clockToleranceS = 5;
const verifiedForMs = 60_000; // how long a token remains valid after its key was revoked
const maxTokenLength = 8192;
const asymmetric = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Creates the verification of signature, algorithm, issuer, audience and times of a token. A token without `exp` is
 * rejected, because it would be valid forever. A verified token is cached for up to a minute.
 */
export function createVerifyToken(options: JwtOptions, writeLog: Log['write']): VerifyToken {
  const verify = verifier(options, writeLog);
  const verifiedTokens = new LRUCache<string, VerifiedToken>({ max: 2000, ttl: verifiedForMs });

  const verifyAndCache = async (token: string): Promise<TokenUser> => {
    if (token.length > maxTokenLength) throw unauthenticated('The token is too long.');
    const payload = await verify(token).catch((error: unknown) => {
      throw httpErrorFrom(error);
    });
    const runAs = runAsOf(payload, options.runAsClaim);
    const verifiedAtMs = Date.now();
    const expiresAtMs = (payload.exp ?? 0) * 1000;
    const forMs = Math.min(verifiedForMs, expiresAtMs - verifiedAtMs);
    const verified = { runAs, expiresAtMs, verifiedAtMs, forMs };
    verifiedTokens.set(token, verified);
    return verified;
  };

  return (token) => {
    const known = verifiedTokens.get(token);
    if (known !== undefined && isYounger(known.verifiedAtMs, known.forMs)) return known;
    return verifyAndCache(token);
  };
}

function verifier(
  options: JwtOptions,
  writeLog: Log['write'],
): (token: string) => Promise<JWTPayload> {
  const checks: JWTVerifyOptions = {
    ...(options.issuer !== null && { issuer: options.issuer }),
    ...(options.audience !== null && { audience: options.audience }),
    requiredClaims: ['exp'],
    clockTolerance: clockToleranceS,
    algorithms: options.secret === null ? asymmetric : ['HS256'],
  };
  if (options.secret !== null) {
    const key = createSecretKey(options.secret, 'utf8');
    return async (token) => (await jwtVerify(token, key, checks)).payload;
  }
  const keys = new IssuerKeys({
    ...options,
    url: options.jwksUrl ?? '',
    proxy: options.jwksProxy,
    precheck: (token) => checkClaims(token, checks),
    onFailure(cause, keysAgeMs) {
      writeLog('warn', 'cannot fetch the keys of the token issuer', {
        cause: messageOf(cause),
        keysAgeMs: keysAgeMs === null ? null : Math.round(keysAgeMs),
      });
    },
    onUnusable(count, unusable) {
      writeLog('warn', 'keys of the token issuer cannot be used', { count, keys: unusable });
    },
  });
  return async (token) => {
    try {
      return (await jwtVerify(token, keys.find, checks)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      return byAnyOf(error, token, checks);
    }
  };
}

const unsecuredHeader = Buffer.from('{"alg":"none"}').toString('base64url');

/**
 * Checks issuer, audience and times before the signature, to avoid fetching keys for invalid tokens. jose reads the
 * claims as those of an unsecured token; they are not used otherwise.
 */
function checkClaims({ payload }: FlattenedJWSInput, checks: JWTVerifyOptions): void {
  UnsecuredJWT.decode(`${unsecuredHeader}.${String(payload)}.`, checks);
}

async function byAnyOf(
  keys: errors.JWKSMultipleMatchingKeys,
  token: string,
  checks: JWTVerifyOptions,
): Promise<JWTPayload> {
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, checks)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

function runAsOf(payload: JWTPayload, claim: string): string {
  const value = payload[claim];
  if (!isRunAs(value))
    throw unauthenticated(
      `The claim \`${claim}\` of the token must contain the system ID or e-mail address of a user.`,
    );
  // A user with an unverified address could impersonate its owner. Some issuers send the claim as text.
  if (claim === 'email' && !isVerified(payload['email_verified'])) {
    throw unauthenticated('The e-mail address in the token is not verified.');
  }
  return value;
}

function isVerified(claim: unknown): boolean {
  return (
    claim === undefined ||
    claim === true ||
    (typeof claim === 'string' && claim.toLowerCase() === 'true')
  );
}

function httpErrorFrom(error: unknown): HttpError {
  if (error instanceof errors.JWTExpired) return unauthenticated('The token has expired.', error);
  if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSInvalid)) {
    return unauthenticated('The token is not valid.', error);
  }
  return unavailable('The token cannot be verified at the moment. Try again later.', error);
}
