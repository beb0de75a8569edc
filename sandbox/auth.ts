import { decodeJwt, errors, jwtVerify } from 'jose';
import type { IncomingMessage } from 'node:http';
import type { Caller } from './caller.ts';
import { forbidden, Problem } from './problem.ts';
import type { Database } from './store/database.ts';
import { fromJson } from './store/database.ts';
import { findPersonForLogin } from './store/persons.ts';

interface AccountRow {
  id: string;
  signingKey: string;
  active: number;
  rolesJson: string;
}

/** Maximum lifetime of a signed credential, in seconds. */
const maxLifetimeS = 300;

/**
 * Determines the caller of a request: the account of `Authorization`, or the user in `svc-run-as`.
 *
 * The credential is the constant header value of an account, or `Bearer` and a JWT signed with the account's key
 * (HS256): `sub` is the account's ID, `aud` is `METHOD:/path` of the request without the query, and `iat` and `exp` are
 * at most five minutes apart.
 * @throws {Problem} 401 without a valid credential, 403 if the run-as user does not exist or is inactive
 */
export async function authenticate(
  db: Database,
  request: IncomingMessage,
  path: string,
): Promise<Caller> {
  const account = await accountOf(db, request, path);
  if (account === undefined || account.active === 0) {
    throw new Problem(401, 'A valid credential of a service account is required.', {
      'WWW-Authenticate': 'Bearer',
    });
  }
  const runAs = request.headers['svc-run-as'];
  if (runAs === undefined) {
    const roles = new Set(fromJson<string[]>(account.rolesJson));
    return { accountId: account.id, actorId: account.id, runsAsUser: false, roles };
  }
  // Node joins repeated headers with commas. Such a value matches no user.
  const person = findPersonForLogin(db, String(runAs));
  if (person === undefined || !person.active) {
    throw forbidden('svc-run-as must be the system id or e-mail address of an active user.');
  }
  return {
    accountId: account.id,
    actorId: person.id,
    runsAsUser: true,
    roles: new Set(person.roles),
  };
}

async function accountOf(
  db: Database,
  request: IncomingMessage,
  path: string,
): Promise<AccountRow | undefined> {
  const header = request.headers.authorization ?? '';
  const columns = 'id, signingKey, active, rolesJson';
  const fixed = db.get<AccountRow>(
    `SELECT ${columns} FROM account WHERE authorization = ?`,
    header,
  );
  if (fixed !== undefined) return fixed;

  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1];
  if (token === undefined) return undefined;
  try {
    const { sub } = decodeJwt(token);
    if (sub === undefined) return undefined;
    const account = db.get<AccountRow>(`SELECT ${columns} FROM account WHERE id = ?`, sub);
    if (account === undefined) return undefined;
    const { payload } = await jwtVerify(token, new TextEncoder().encode(account.signingKey), {
      algorithms: ['HS256'],
      audience: `${request.method}:${path}`,
      requiredClaims: ['iat', 'exp'],
      clockTolerance: 5,
    });
    const { iat = 0, exp = 0 } = payload;
    const now = Date.now() / 1000;
    return exp - iat <= maxLifetimeS && iat <= now + 5 ? account : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
