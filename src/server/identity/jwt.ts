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
import type { Log } from '../telemetry/log.ts';
import { HttpError } from '../errors/http-error.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { isRunAs } from './run-as.ts';
import { unauthenticated } from './unauthenticated.ts';
import { isYounger } from './wall-clock.ts';

export interface JwtOptions {
  /** Exactly one of `secret` (HS256) and `jwksUrl` is set. */
  readonly secret: string | null;
  readonly jwksUrl: string | null;
  readonly issuer: string | null;
  readonly audience: string | null;
  /** The claim that names the user to run as. */
  readonly runAsClaim: string;
  /** How soon unknown key ids may ask for the keys again, in ms. Default 10,000. */
  readonly jwksCooldownMs?: number;
  /** Longest wait for the keys, in ms. Default 5,000. */
  readonly jwksTimeoutMs?: number;
  /** First pause after a fetch of the keys that fails, in ms. Default 1000. */
  readonly jwksBackOffMs?: number;
}

/** Who a bearer token names, and for how long. */
export interface TokenUser {
  readonly runAs: string;
  /** `exp` in ms. */
  readonly expiresAtMs: number;
}

/** Checks a bearer token. @throws {HttpError} 401, or 503 if the keys cannot be read */
export type VerifyToken = (token: string) => TokenUser | Promise<TokenUser>;

interface VerifiedToken extends TokenUser {
  readonly verifiedAtMs: number;
  /** How long it may be remembered, in ms. */
  readonly forMs: number;
}

const clockToleranceS = 5;
const verifiedForMs = 60_000; // as long as a token outlives the withdrawal of its key
const maxTokenLength = 8192;
const asymmetric = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Checks signature, algorithm, issuer, audience and times of a token, all pinned by the settings. A token
 * without `exp` is refused: it could never be taken back. A verified token is remembered for up to a minute.
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
  const keys = createIssuerKeys({
    url: options.jwksUrl ?? '',
    ...(options.jwksCooldownMs !== undefined && { cooldownMs: options.jwksCooldownMs }),
    ...(options.jwksTimeoutMs !== undefined && { timeoutMs: options.jwksTimeoutMs }),
    ...(options.jwksBackOffMs !== undefined && { backOffMs: options.jwksBackOffMs }),
    precheck: (token) => checkClaims(token, checks),
    onFailure(cause, keysAgeMs) {
      writeLog('warn', 'cannot fetch the keys of the token issuer', {
        cause: cause instanceof Error ? cause.message : String(cause),
        keysAgeMs: keysAgeMs === null ? null : Math.round(keysAgeMs),
      });
    },
  });
  return async (token) => {
    try {
      return (await jwtVerify(token, keys, checks)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      return byAnyOf(error, token, checks);
    }
  };
}

const unsecuredHeader = Buffer.from('{"alg":"none"}').toString('base64url');

/**
 * Checks issuer, audience and times before the signature can be checked. Only to tell junk from tokens that may be
 * good: jose reads the claims as those of an unsecured token, and nothing else is done with them.
 */
function checkClaims({ payload }: FlattenedJWSInput, checks: JWTVerifyOptions): void {
  UnsecuredJWT.decode(`${unsecuredHeader}.${String(payload)}.`, checks);
}

/** While keys rotate, a token that names none may be signed with either. */
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
  // Who can give himself an address that was never checked could act as its owner. Some issuers say it in words.
  if (claim === 'email' && !isVerified(payload['email_verified'])) {
    throw unauthenticated('The e-mail address in the token is not verified.');
  }
  return value;
}

/** An issuer that does not say whether it verifies addresses is trusted to; one that says anything else is not. */
function isVerified(claim: unknown): boolean {
  return (
    claim === undefined ||
    claim === true ||
    (typeof claim === 'string' && claim.toLowerCase() === 'true')
  );
}

/** A bad token is the client's fault; keys that cannot be read are not. */
function httpErrorFrom(error: unknown): HttpError {
  if (error instanceof errors.JWTExpired) return unauthenticated('The token has expired.', error);
  if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSInvalid)) {
    return unauthenticated('The token is not valid.', error);
  }
  const message = 'The token cannot be verified at the moment. Try again later.';
  return new HttpError(503, 'UPSTREAM_UNAVAILABLE', message, {
    headers: { 'retry-after': '1' },
    cause: error,
  });
}
