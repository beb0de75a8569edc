/** When an entity was stored and changed, and how often. Each part is null where the DMS leaves it out. */
export interface Meta {
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  /** Counts the changes; grows with each. */
  readonly revision: number | null;
}

/** One text in one language; `language` is the DMS's short name, such as `en`. */
export interface Translation {
  readonly language: string;
  readonly text: string;
}

/** A value of a form field: text, or a table whose rows are as wide as its columns or shorter. */
export type FieldValue =
  | { readonly kind: 'text'; readonly tag: string; readonly text: string }
  | TableValue;

/** The value of a table field; each row has at most as many cells as there are columns. */
export interface TableValue {
  readonly kind: 'table';
  readonly tag: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** An object of the DMS handed through unchanged. */
export type JsonObject = Readonly<Record<string, unknown>>;
