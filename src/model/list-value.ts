import type { Meta, Translation } from './common.ts';

/** A value of a directory; a directory itself is a list value without a parent. */
export interface ListValue {
  readonly fullId: string;
  readonly externalId: string | null;
  /** In the DMS's order; a text without a language has the language `''`. */
  readonly translations: readonly Translation[];
  readonly type: number | null;
  readonly status: number | null;
  readonly author: string | null;
  /** System id of a person; only some installations send it. */
  readonly owner: string | null;
  /** Full id of the parent; null for a directory. */
  readonly parentId: string | null;
  readonly meta: Meta | null;
}

/** What a caller sets; what is left out stays as it is. */
export interface ListValueChange {
  readonly fullId?: string;
  readonly externalId?: string;
  readonly parentId?: string;
  readonly status?: number;
  readonly value?: readonly Translation[];
}
