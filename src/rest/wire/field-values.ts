import type { FieldValue, JsonObject, TableValue } from '../../model/common.ts';
import type { DocumentValues } from '../../model/document.ts';
import { RestError } from '../client/rest-error.ts';
import { objectOrNull } from './parse.ts';

/** Reads a `valuesByTags` object. Anything else counts as having no values. REST spec, DocForm. */
export function valuesFromWire(value: unknown): DocumentValues {
  return new WireValues(objectOrNull(value));
}

/**
 * Parses values on access: pages of documents stay in memory while other requests are pending, and would contain every
 * value twice.
 */
class WireValues implements DocumentValues {
  readonly byTags: JsonObject | null;

  constructor(byTags: JsonObject | null) {
    this.byTags = byTags;
  }

  list(): FieldValue[] {
    const list: FieldValue[] = [];
    for (const tag in this.byTags) {
      const read = this.value(tag);
      if (read !== null) list.push(read);
    }
    return list;
  }

  value(tag: string): FieldValue | null {
    const { byTags } = this;
    return byTags !== null && Object.hasOwn(byTags, tag) ? fieldValue(tag, byTags[tag]) : null;
  }
}

function fieldValue(tag: string, content: unknown): FieldValue | null {
  if (content === null || content === undefined) return null;
  if (isTable(content)) return new WireTable(tag, content);
  return { kind: 'text', tag, text: cell(content) };
}

/**
 * Parses the table on first access: a query can select one table under many aliases without reading most of them. A
 * class instead of an object with getters, because V8 creates a hidden class for each such object, which keeps the
 * table alive until the next major garbage collection.
 */
class WireTable implements TableValue {
  readonly kind = 'table';
  readonly tag: string;
  readonly #content: readonly unknown[][];
  #columns: string[] | undefined;
  #rows: string[][] | undefined;

  constructor(tag: string, content: readonly unknown[][]) {
    this.tag = tag;
    this.#content = content;
  }

  get columns(): string[] {
    return (this.#columns ??= (this.#content[0] ?? []).map(cell));
  }

  get rows(): string[][] {
    const { length } = this.#content[0] ?? [];
    return (this.#rows ??= this.#content.slice(1).map((row) => row.slice(0, length).map(cell)));
  }
}

/** An array of rows. Any other array, which the specification does not define, is read as text. */
function isTable(content: unknown): content is unknown[][] {
  return Array.isArray(content) && content.every((row) => Array.isArray(row));
}

function cell(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  try {
    return JSON.stringify(content);
  } catch (cause) {
    throw new RestError('UPSTREAM_ERROR', 'a value', {
      expected: 'JSON with fewer levels of nesting',
      cause,
    });
  }
}

/** Builds `valuesByTags`: text as a string, a table as rows of which the first contains the column names. */
export function valuesToWire(values: readonly FieldValue[]): Record<string, unknown> {
  // fromEntries instead of assignment: a tag can be `__proto__`.
  return Object.fromEntries(
    values.map((value) => [
      value.tag,
      value.kind === 'text' ? value.text : [value.columns, ...value.rows],
    ]),
  );
}
