/** Creation time, modification time and revision of an entity. Each is null if the DMS does not send it. */
export interface Meta {
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly revision: number | null;
}

/**
 * A text in one language. `language` is the short name that the DMS uses, such as `en`; empty for a text without a
 * language.
 */
export interface Translation {
  readonly language: string;
  readonly text: string;
}

export type FieldValue =
  | { readonly kind: 'text'; readonly tag: string; readonly text: string }
  | TableValue;

export type WrittenValue =
  | FieldValue
  | { readonly kind: 'stored'; readonly tag: string; readonly content: unknown };

/** The value of a table field. Each row has at most as many cells as there are columns. */
interface TableValue {
  readonly kind: 'table';
  readonly tag: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of a document. Its columns and rows are parsed when they are read, so their number is known before. */
export interface DocumentTable extends TableValue {
  /** @internal */
  readonly columnCount: number;
  readonly rowCount: number;
  readonly cellCount: number;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const maxTag = 100;

/**
 * A language tag in lower case, followed by its less specific tags: `zh-hant-tw`, `zh-hant` and `zh` (RFC 4647, 3.4). A
 * tag of more than 100 characters, which names no language, is returned alone.
 */
export function lookupTags(tag: string): string[] {
  const subtags = tag.length > maxTag ? [tag] : tag.toLowerCase().split('-');
  return subtags.map((_, i) => subtags.slice(0, subtags.length - i).join('-'));
}

export interface PageRequest {
  readonly first: number;
  readonly pageSize: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly totalCount: number | null;
}

/**
 * The result of a write, as far as the user can react to it. Failures that only an operator can resolve (the DMS is
 * unavailable or too slow, or the outcome is unknown) are thrown.
 *
 * `message` is the reason of the DMS on one line, for the user. Null if it gave none.
 */
export type WriteOutcome<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'nothingChanged'; readonly message: string | null }
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'notFound'; readonly message: string | null }
  /** `requiredRole` is the role that the DMS requires. Null if its specification names none. */
  | {
      readonly outcome: 'forbidden';
      readonly message: string | null;
      readonly requiredRole: string | null;
    };

/**
 * Headers of a connection and its bodies. undici refuses most of them, and its pool then never uses the connection of the
 * refused request again.
 */
export const connectionHeaders = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of an error of Node, such as `ENOENT`. Undefined for anything else. */
export function nodeCodeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function hostOf(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The text with `<U+001B>` for each character that a terminal interprets or that hides text: control characters, escape
 * sequences, marks and overrides of the text direction. Messages can contain text of other systems.
 */
export function printable(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase();
    return `<U+${code.padStart(4, '0')}>`;
  });
}

export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof Promise);
}

/** Returns a function that calls `load` once. If it rejects, the next call loads again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    if (loading === null) {
      loading = load();
      loading.catch(() => (loading = null));
    }
    return loading;
  };
}

/**
 * Waits for at most `ms`, then for what `onLate` returns. The timer keeps the process running, which a promise does not.
 */
export async function inTime<T, Late>(
  result: PromiseLike<T> | T,
  ms: number,
  onLate: () => PromiseLike<Late> | Late,
): Promise<T | Late> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([result, promise.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}
