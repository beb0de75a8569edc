import type { Meta } from './common.ts';

export interface Organization {
  readonly fullId: string;
  readonly shortId: string | null;
  readonly externalId: string | null;
  readonly governmentId: string | null;
  readonly name: string | null;
  /** Further names, as the DMS keeps them. */
  readonly nameExt: readonly unknown[];
  readonly notes: string | null;
  /** System id of a person. */
  readonly owner: string | null;
  readonly author: string | null;
  /** Full id of a list value. */
  readonly areaId: string | null;
  /** Full id of a list value. */
  readonly typeId: string | null;
  readonly meta: Meta | null;
}

/** What a caller sets; what is left out stays as it is. */
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
