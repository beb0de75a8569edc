import type { IncomingHttpHeaders } from 'node:http';
import { isRunAs, type Credential, type TokenRules } from '../../model/identity.ts';
import type { Caller } from '../../rest/index.ts';
import type { Settings } from '../../config/read-config.ts';
import type { Log } from '../telemetry/log.ts';
import { badRequest, forbidden, unauthenticated, type HttpError } from '../errors/http-error.ts';
import type { KeyFetchOptions } from './issuer-keys.ts';
import type { JwtOptions } from './jwt.ts';
import { createServiceAccount } from './service-account.ts';

type IdentityOptions = Pick<Settings, 'identity' | 'credential' | 'runAsHeader' | 'forwardHeaders'>;

export type LinkCaller = Pick<Caller, 'runAs' | 'forwarded'>;

export interface Identity {
  readonly holdsCredential: boolean;
  identify(headers: IncomingHttpHeaders): Caller | Promise<Caller>;
  /**
   * Returns the caller for whom a link was signed. If `headers` identify a user, it must be the same one. Used only
   * if the gateway has a credential.
   */
  callerOfLink(link: LinkCaller, headers: IncomingHttpHeaders): Caller | Promise<Caller>;
  readonly replaceJwtSecret?: (secret: string) => void;
}

export function createIdentity(
  options: IdentityOptions,
  writeLog: Log['write'],
  userTokens: TokenRules | null = null,
  keyFetch: KeyFetchOptions = {},
): Identity {
  const identity = identityOf(options, writeLog, userTokens, keyFetch);
  return options.forwardHeaders.length === 0
    ? identity
    : forwarding(identity, options.forwardHeaders);
}

function identityOf(
  { identity, credential, runAsHeader }: IdentityOptions,
  writeLog: Log['write'],
  userTokens: TokenRules | null,
  keyFetch: KeyFetchOptions,
): Identity {
  if (identity.mode === 'passthrough') return passthrough(runAsHeader);
  if (credential === null) throw new Error(`IDENTITY=${identity.mode} requires a service account`);
  if (identity.mode === 'jwt') {
    return jwt({ ...identity, ...keyFetch }, credential, runAsHeader, writeLog);
  }
  const account = service(credential, runAsHeader);
  if (userTokens === null) return account;
  return accountOrUser(account, jwt(userTokens, credential, runAsHeader, writeLog));
}

const maxForwardedLength = 2000;

/**
 * Adds the headers with these names to the callers of an identity. A link has those of the request for which it was
 * signed, because a browser that opens it sends none.
 */
function forwarding(identity: Identity, names: readonly string[]): Identity {
  const withHeaders = (caller: Caller | Promise<Caller>, headers: IncomingHttpHeaders) => {
    const forwarded: Record<string, string> = {};
    let length = 0;
    for (const name of names) {
      const value = headers[name];
      if (typeof value !== 'string' || value === '') continue;
      forwarded[name] = value;
      length += name.length + value.length;
    }
    if (length > maxForwardedLength) {
      throw badRequest(
        `The headers ${names.join(', ')} are longer than ${maxForwardedLength} bytes.`,
      );
    }
    const add = (known: Caller): Caller => ({
      ...known,
      key: JSON.stringify([known.key, forwarded]),
      userKey: known.key,
      forwarded,
    });
    return caller instanceof Promise ? caller.then(add) : add(caller);
  };
  return {
    ...identity,
    identify: (headers) => withHeaders(identity.identify(headers), headers),
    callerOfLink: (link, headers) =>
      withHeaders(identity.callerOfLink(link, headers), link.forwarded ?? {}),
  };
}

function passthrough(runAsHeader: string): Identity {
  return {
    holdsCredential: false,
    identify(headers) {
      const authorization = headers.authorization ?? null;
      const credential = canonicalCredential(authorization ?? '');
      const runAs = headers[runAsHeader] || null;
      if (runAs !== null && !isRunAs(runAs)) {
        throw badRequest(
          `The header ${runAsHeader} must contain the system ID or e-mail address of one user.`,
        );
      }
      return {
        // The length separates the two values, so that different credentials and users never have equal keys.
        key: `${authorization === null ? '-' : credential.length}:${credential}:${runAs ?? ''}`,
        runAs,
        authorization,
      };
    },
    callerOfLink() {
      throw new Error('A gateway without a credential does not sign file links.');
    },
  };
}

/**
 * The form of an Authorization header that all its spellings share: the scheme in lower case and one space, so that a
 * client cannot appear as several callers. Credentials and parameters are not changed, and neither is a value without a
 * space, which can be a key.
 *
 * Tabs separate like spaces, although RFC 9110 (section 11.4) does not allow them, because a DMS could accept them.
 */
function canonicalCredential(authorization: string): string {
  const [start = '', scheme = ''] = /^([\w!#$%&'*+.^`|~-]+)[ \t]+/.exec(authorization) ?? [];
  if (start === '') return authorization;
  return `${scheme.toLowerCase()} ${authorization.slice(start.length)}`;
}

function service(credential: Credential, runAsHeader: string): Identity {
  const caller: Caller = { runAs: null, ...createServiceAccount(credential) };
  return {
    holdsCredential: true,
    identify(headers) {
      refuseRunAs(headers, runAsHeader);
      return caller;
    },
    callerOfLink({ runAs }, headers) {
      refuseRunAs(headers, runAsHeader);
      if (runAs !== null) throw linkOfOtherUser();
      return caller;
    },
  };
}

function jwt(
  options: JwtOptions,
  credential: Credential,
  runAsHeader: string,
  writeLog: Log['write'],
): Identity {
  // Only this mode needs the library, so that other modes start faster.
  const load = (rules: JwtOptions) =>
    import('./jwt.ts').then(({ createVerifyToken }) => createVerifyToken(rules, writeLog));
  let loaded = load(options);
  const account = createServiceAccount(credential);
  // Gateways with other service accounts can share a cache, and each can see something else as the same user.
  const callerFor = (runAs: string): Caller => ({
    ...account,
    key: `${account.key}:${runAs}`,
    runAs,
  });
  const identify = async (headers: IncomingHttpHeaders): Promise<Caller> => {
    const token = bearerOf(headers.authorization);
    const verify = await loaded;
    const { runAs, expiresAtMs } = await verify(token);
    return { ...callerFor(runAs), expiresAtMs };
  };
  return {
    holdsCredential: true,
    identify(headers) {
      refuseRunAs(headers, runAsHeader);
      return identify(headers);
    },
    async callerOfLink({ runAs }, headers) {
      refuseRunAs(headers, runAsHeader);
      // Without a user, the call would run as the service account, which can see more than any user.
      if (runAs === null) throw linkOfOtherUser();
      if (headers.authorization === undefined) return callerFor(runAs);
      const caller = await identify(headers);
      if (caller.runAs !== runAs) throw linkOfOtherUser();
      return caller;
    },
    replaceJwtSecret(secret) {
      loaded = load({ ...options, secret });
    },
  };
}

/**
 * Mode `service` with tokens of users: a request without `Authorization` acts as the service account, all others as
 * the user of their token. An invalid token is an error, because the service account can see more than its user.
 */
function accountOrUser(account: Identity, user: Identity): Identity {
  return {
    holdsCredential: true,
    identify: (headers) => (headers.authorization === undefined ? account : user).identify(headers),
    callerOfLink(link, headers) {
      const isOfAccount = link.runAs === null && headers.authorization === undefined;
      return (isOfAccount ? account : user).callerOfLink(link, headers);
    },
  };
}

function linkOfOtherUser(): HttpError {
  return forbidden('The file link was issued to another user.');
}

/** Clients of a gateway with a credential cannot choose the user. */
function refuseRunAs(headers: IncomingHttpHeaders, runAsHeader: string): void {
  if (headers[runAsHeader] === undefined) return;
  throw forbidden(
    `The header ${runAsHeader} is not allowed: this gateway determines the user itself.`,
  );
}

function bearerOf(authorization: string | undefined): string {
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined)
    throw unauthenticated('A bearer token is required in the Authorization header.');
  return token;
}
