import type { Meta } from './common.ts';

/** An organization of the CRM directory, such as a customer. REST spec, CrmOrg. */
export interface Organization {
  readonly fullId: string;
  readonly shortId: string | null;
  readonly externalId: string | null;
  readonly governmentId: string | null;
  readonly name: string | null;
  readonly nameExt: readonly unknown[];
  readonly notes: string | null;
  readonly owner: string | null;
  readonly author: string | null;
  readonly areaId: string | null;
  readonly typeId: string | null;
  readonly meta: Meta | null;
}

export interface OrganizationChange {
  readonly fullId?: string;
  readonly externalId?: string;
  readonly governmentId?: string;
  readonly name?: string;
  readonly nameExt?: readonly unknown[];
  readonly notes?: string;
  readonly owner?: string;
  readonly areaId?: string;
  readonly typeId?: string;
}
