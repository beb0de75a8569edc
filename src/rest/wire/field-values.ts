import type { DocumentTable, JsonObject, WrittenValue } from '../../model/common.ts';
import type { DocumentValue, DocumentValues } from '../../model/document.ts';
import { RestError } from '../client/rest-error.ts';
import { objectOrNull } from './parse.ts';

/** Reads a `valuesByTags` object. Anything else counts as having no values. REST spec, DocForm. */
export function valuesFromWire(value: unknown): DocumentValues {
  return new WireValues(objectOrNull(value));
}

/**
 * Parses values when they are read: pages of documents stay in memory while other requests are pending, and would
 * contain every value twice.
 */
class WireValues implements DocumentValues {
  readonly byTags: JsonObject | null;
  #cached: Map<string, DocumentValue> | undefined;
  #tags: readonly string[] | undefined;

  constructor(byTags: JsonObject | null) {
    this.byTags = byTags;
  }

  list(wanted?: ReadonlySet<string>): DocumentValue[] {
    return this.tags(wanted).map((tag) => this.value(tag)!);
  }

  tags(wanted?: ReadonlySet<string>): readonly string[] {
    const tags = this.#tags ?? this.#findTags();
    return wanted === undefined ? tags : tags.filter((tag) => wanted.has(tag));
  }

  #findTags(): readonly string[] {
    const { byTags } = this;
    const tags: string[] = [];
    let count = 0;
    for (const tag in byTags) {
      count += 1;
      if (byTags[tag] != null) tags.push(tag);
    }
    if (count > smallLength) this.#tags = tags;
    return tags;
  }

  *texts(): Generator<string> {
    for (const content of Object.values(this.byTags ?? {})) {
      if (isTable(content)) yield* cellTexts(content);
      else yield cell(content);
    }
  }

  value(tag: string): DocumentValue | null {
    const { byTags } = this;
    if (byTags === null || !Object.hasOwn(byTags, tag)) return null;
    const content = byTags[tag];
    if (content === null || content === undefined) return null;
    return isSmall(content) ? valueFrom(tag, content) : this.#store(tag, content);
  }

  #store(tag: string, content: unknown): DocumentValue {
    const cached = (this.#cached ??= new Map());
    let value = cached.get(tag);
    if (value === undefined) {
      value = valueFrom(tag, content);
      cached.set(tag, value);
    }
    return value;
  }
}

const smallLength = 50;

function isSmall(content: unknown): boolean {
  if (typeof content !== 'object') return true;
  return Array.isArray(content) && content.length <= smallLength && content.every(isSmallRow);
}

function isSmallRow(row: unknown): boolean {
  return (
    Array.isArray(row) &&
    row.length <= smallLength &&
    row.every((one: unknown) => one === null || typeof one !== 'object')
  );
}

function valueFrom(tag: string, content: unknown): DocumentValue {
  return isTable(content)
    ? new WireTable(tag, content)
    : { kind: 'text', tag, text: cell(content) };
}

/**
 * Parses rows and columns when they are read. A class instead of an object with getters, because V8 creates a hidden
 * class for each such object, which keeps the table alive until the next major garbage collection.
 */
class WireTable implements DocumentTable {
  readonly kind = 'table';
  readonly tag: string;
  readonly #content: readonly unknown[][];
  #columns: string[] | undefined;
  #rows: string[][] | undefined;
  #cellCount: number | undefined;

  constructor(tag: string, content: readonly unknown[][]) {
    this.tag = tag;
    this.#content = content;
  }

  get columnCount(): number {
    return this.#content[0]?.length ?? 0;
  }

  get columns(): string[] {
    return (this.#columns ??= (this.#content[0] ?? []).map(cell));
  }

  get rows(): string[][] {
    const width = this.columnCount;
    return (this.#rows ??= this.#content.slice(1).map((row) => row.slice(0, width).map(cell)));
  }

  get rowCount(): number {
    return Math.max(0, this.#content.length - 1);
  }

  get cellCount(): number {
    return (this.#cellCount ??= this.#countCells());
  }

  #countCells(): number {
    const width = this.columnCount;
    let count = 0;
    for (let at = 1; at < this.#content.length; at += 1) {
      count += Math.min(width, this.#content[at]!.length);
    }
    return count;
  }
}

function* cellTexts([columns = [], ...rows]: readonly unknown[][]): Generator<string> {
  for (const row of rows) {
    for (const content of row.slice(0, columns.length)) yield cell(content);
  }
}

function isTable(content: unknown): content is unknown[][] {
  return Array.isArray(content) && content.every((row) => Array.isArray(row));
}

function cell(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  try {
    return JSON.stringify(content);
  } catch (cause) {
    throw new RestError('UPSTREAM_ERROR', null, {
      expected: 'JSON with fewer levels of nesting',
      cause,
    });
  }
}

export function valuesToWire(values: readonly WrittenValue[]): Record<string, unknown> {
  // fromEntries instead of assignment: a tag can be `__proto__`.
  return Object.fromEntries(values.map((value) => [value.tag, contentOf(value)]));
}

function contentOf(value: WrittenValue): unknown {
  if (value.kind === 'stored') return value.content;
  return value.kind === 'text' ? value.text : [value.columns, ...value.rows];
}
