import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../rest/client/caller.ts';
import type { Log } from '../telemetry/log.ts';
import { HttpError } from '../errors/http-error.ts';
import { createServiceAccount, type Credential } from './credential.ts';
import type { JwtOptions } from './jwt.ts';
import { isRunAs } from './run-as.ts';
import { unauthenticated } from './unauthenticated.ts';

type IdentityMode =
  | { readonly mode: 'passthrough' }
  | { readonly mode: 'service' }
  | ({ readonly mode: 'jwt' } & JwtOptions);

export interface IdentityOptions {
  readonly identity: IdentityMode;
  /** Of the service account; needed by `service` and `jwt`. */
  readonly credential: Credential | null;
  /** In lower case. */
  readonly runAsHeader: string;
}

/** Who the DMS sees, for each request. */
export interface Identity {
  /** Whether the gateway holds a credential, and so has to sign file links. */
  readonly holdsCredential: boolean;
  /** Who sends these headers. @throws {HttpError} 401, 403 or 503 */
  identify(headers: IncomingHttpHeaders): Caller | Promise<Caller>;
  /**
   * Whoever a link that this gateway signed was made for; `headers` may name the same user and nobody else.
   * Only where the gateway holds a credential. @throws {HttpError} 401, 403 or 503
   */
  callerOfLink(runAs: string | null, headers: IncomingHttpHeaders): Caller | Promise<Caller>;
}

/** @param writeLog logs what belongs to no request: that the keys of tokens cannot be fetched */
export function createIdentity(options: IdentityOptions, writeLog: Log['write']): Identity {
  const { identity, credential, runAsHeader } = options;
  if (identity.mode === 'passthrough') return passthrough(runAsHeader);
  if (credential === null) throw new Error(`IDENTITY=${identity.mode} requires a service account`);
  if (identity.mode === 'jwt') return jwt(identity, credential, runAsHeader, writeLog);
  return service(credential, runAsHeader);
}

/** The client's own headers go on; the DMS decides whether they are good. */
function passthrough(runAsHeader: string): Identity {
  return {
    holdsCredential: false,
    identify(headers) {
      const authorization = headers.authorization ?? null;
      const runAs = headers[runAsHeader] || null;
      if (runAs !== null && !isRunAs(runAs)) {
        throw new HttpError(
          400,
          'BAD_USER_INPUT',
          `The header ${runAsHeader} must contain the system ID or e-mail address of one user.`,
        );
      }
      return {
        // The length keeps the two apart: no credential can end in what looks like another's run-as.
        key: `${authorization?.length ?? '-'}:${authorization ?? ''}:${runAs ?? ''}`,
        runAs,
        authorize: () => authorization,
      };
    },
    callerOfLink() {
      throw new Error('A gateway without a credential does not sign file links.');
    },
  };
}

/** Everybody is the service account. */
function service(credential: Credential, runAsHeader: string): Identity {
  const caller: Caller = { key: 'service', runAs: null, ...createServiceAccount(credential) };
  return {
    holdsCredential: true,
    identify(headers) {
      refuseRunAs(headers, runAsHeader);
      return caller;
    },
    callerOfLink(runAs, headers) {
      refuseRunAs(headers, runAsHeader);
      if (runAs !== null) throw linkOfOtherUser();
      return caller;
    },
  };
}

/** The user whom a verified token names, on the service account's credential. */
function jwt(
  options: JwtOptions,
  credential: Credential,
  runAsHeader: string,
  writeLog: Log['write'],
): Identity {
  // Only this mode needs the library: a start without it is shorter.
  const loaded = import('./jwt.ts').then(({ createVerifyToken }) =>
    createVerifyToken(options, writeLog),
  );
  const { authorize, onUnauthorized } = createServiceAccount(credential);
  const callerFor = (runAs: string): Caller => ({
    key: `user:${runAs}`,
    runAs,
    authorize,
    onUnauthorized,
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
    async callerOfLink(runAs, headers) {
      refuseRunAs(headers, runAsHeader);
      // Without a user the call would run as the service account itself, which sees more than any user.
      if (runAs === null) throw linkOfOtherUser();
      if (headers.authorization === undefined) return callerFor(runAs);
      const caller = await identify(headers);
      if (caller.runAs !== runAs) throw linkOfOtherUser();
      return caller;
    },
  };
}

function linkOfOtherUser(): HttpError {
  return new HttpError(403, 'FORBIDDEN', 'The file link was issued to another user.');
}

/** A gateway that holds a credential never lets a client choose on whose behalf it is used. */
function refuseRunAs(headers: IncomingHttpHeaders, runAsHeader: string): void {
  if (headers[runAsHeader] === undefined) return;
  throw new HttpError(
    403,
    'FORBIDDEN',
    `The header ${runAsHeader} is not allowed: this gateway determines the user itself.`,
  );
}

function bearerOf(authorization: string | undefined): string {
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined)
    throw unauthenticated('A bearer token is required in the Authorization header.');
  return token;
}
