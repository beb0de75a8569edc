import { forbidden } from './problem.ts';

/** Roles that operations ask for (spec, Authentication 2). */
export type Role =
  | 'elAdminDocsR'
  | 'elAdminDocsRW'
  | 'elAdminDocRW(D)'
  | 'elAdminDocRW'
  | 'elAdminCrmRW'
  | 'elAdminSysRW';

/** Who a request runs as. */
export interface Caller {
  /** The service account that sent it, `api-…`. */
  readonly accountId: string;
  /** Whose rights hold and who is written down as author: the run-as user, else the account itself. */
  readonly actorId: string;
  readonly runsAsUser: boolean;
  readonly roles: ReadonlySet<string>;
}

/** A role that may write documents may also read them. */
const implied: Partial<Record<Role, readonly Role[]>> = {
  elAdminDocsR: ['elAdminDocsRW', 'elAdminDocRW(D)'],
  elAdminDocsRW: ['elAdminDocRW(D)'],
};

export function hasRole(caller: Caller, role: Role): boolean {
  return caller.roles.has(role) || (implied[role] ?? []).some((other) => caller.roles.has(other));
}

/** @throws {Problem} 403, naming the role, when the caller does not have it. */
export function requireRole(caller: Caller, role: Role): void {
  if (!hasRole(caller, role)) throw forbidden(`The role ${role} is required.`);
}
