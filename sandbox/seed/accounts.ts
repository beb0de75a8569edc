import type { Role } from '../caller.ts';
import type { Database } from '../store/database.ts';

interface Account {
  readonly id: string;
  readonly authorization: string;
  readonly signingKey: string;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

const allRoles: readonly Role[] = [
  'elAdminDocsR',
  'elAdminDocsRW',
  'elAdminDocRW(D)',
  'elAdminDocRW',
  'elAdminCrmRW',
  'elAdminSysRW',
];

/** The account for a gateway in front of the sandbox. It has all roles. */
export const mainAccount: Account = {
  id: 'api-gateway',
  authorization: 'Bearer sandbox-service-account',
  signingKey: 'sandbox-signing-key-of-api-gateway-0001',
  active: true,
  roles: allRoles,
};

const accounts: readonly Account[] = [
  mainAccount,
  {
    id: 'api-reader',
    authorization: 'Bearer sandbox-reader',
    signingKey: 'sandbox-signing-key-of-api-reader-00002',
    active: true,
    roles: ['elAdminDocsR'],
  },
  {
    id: 'api-masterdata',
    authorization: 'Bearer sandbox-masterdata',
    signingKey: 'sandbox-signing-key-of-api-masterdata-3',
    active: true,
    roles: ['elAdminCrmRW', 'elAdminDocRW'],
  },
  {
    id: 'api-intake',
    authorization: 'Bearer sandbox-intake',
    signingKey: 'sandbox-signing-key-of-api-intake-00004',
    active: true,
    roles: [],
  },
  {
    id: 'api-retired',
    authorization: 'Bearer sandbox-retired',
    signingKey: 'sandbox-signing-key-of-api-retired-0005',
    active: false,
    roles: allRoles,
  },
];

export function seedAccounts(db: Database): void {
  for (const account of accounts) {
    db.run(
      'INSERT INTO account (id, authorization, signingKey, active, rolesJson) VALUES (?, ?, ?, ?, ?)',
      account.id,
      account.authorization,
      account.signingKey,
      account.active ? 1 : 0,
      JSON.stringify(account.roles),
    );
  }
}
