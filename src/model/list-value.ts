import type { Meta, Translation } from './common.ts';

/** A value of a directory. A directory is a list value without a parent. */
export interface ListValue {
  readonly fullId: string;
  readonly externalId: string | null;
  /** Texts in the order of the DMS. A text without a language has the language `''`. */
  readonly translations: readonly Translation[];
  readonly type: number | null;
  readonly status: number | null;
  readonly author: string | null;
  /** System ID of a person. Only some installations send it. */
  readonly owner: string | null;
  /** Full ID of the parent. Null for a directory. */
  readonly parentId: string | null;
  readonly meta: Meta | null;
}

export interface ListValueChange {
  readonly fullId?: string;
  readonly externalId?: string;
  readonly parentId?: string;
  readonly status?: number;
  readonly value?: readonly Translation[];
}
