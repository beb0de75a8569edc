import { forbidden } from './problem.ts';

/** Roles that operations require (REST spec, Authentication 2). */
export type Role =
  | 'elAdminDocsR'
  | 'elAdminDocsRW'
  | 'elAdminDocRW(D)'
  | 'elAdminDocRW'
  | 'elAdminCrmRW'
  | 'elAdminSysRW';

/** The identity of a request. */
export interface Caller {
  /** The service account that sends the request, `api-…`. */
  readonly accountId: string;
  /** The user or account whose rights apply and who is recorded as author: the run-as user, otherwise the account. */
  readonly actorId: string;
  readonly runsAsUser: boolean;
  readonly roles: ReadonlySet<string>;
}

/** Roles that a role includes: write access to documents includes read access. */
const implied: Partial<Record<Role, readonly Role[]>> = {
  elAdminDocsR: ['elAdminDocsRW', 'elAdminDocRW(D)'],
  elAdminDocsRW: ['elAdminDocRW(D)'],
};

export function hasRole(caller: Caller, role: Role): boolean {
  return caller.roles.has(role) || (implied[role] ?? []).some((other) => caller.roles.has(other));
}

/** Checks that the caller has a role. @throws {Problem} 403 with the name of the role */
export function requireRole(caller: Caller, role: Role): void {
  if (!hasRole(caller, role)) throw forbidden(`The role ${role} is required.`);
}
