import type { FieldValue, JsonObject, TableValue } from '../../model/common.ts';
import type { DocumentValues } from '../../model/document.ts';
import { RestError } from '../client/rest-error.ts';
import { objectOrNull } from './parse.ts';

/** `valuesByTags`. */
export function valuesFromWire(value: unknown): DocumentValues {
  return new WireValues(objectOrNull(value));
}

/** Read when asked for: a page of documents waits in memory for its authors, and would hold every value twice. */
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
 * Read when asked for, once: under many aliases one table would be many, most of them never looked at. A class rather
 * than an object with getters, for each of which V8 makes a hidden class that lives until the next full collection and
 * keeps the table alive.
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

/** An array of rows. Any other array, which the specification does not show, is read as text. */
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

/** Text goes as a string, a table as rows of which the first holds the column names. */
export function valuesToWire(values: readonly FieldValue[]): Record<string, unknown> {
  // fromEntries rather than assignment: a tag may be called `__proto__`.
  return Object.fromEntries(
    values.map((value) => [
      value.tag,
      value.kind === 'text' ? value.text : [value.columns, ...value.rows],
    ]),
  );
}
