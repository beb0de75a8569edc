import type { Meta, Translation } from './common.ts';

export interface ListValue {
  readonly fullId: string;
  readonly externalId: string | null;
  /** Texts in the order of the DMS. A text without a language has the language `''`. */
  readonly translations: readonly Translation[];
  readonly type: number | null;
  readonly status: number | null;
  readonly author: string | null;
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
