import type { FieldValue, Translation } from '../../model/common.ts';
import { ID_RULE, isFullId, isValidId, type NodeType } from '../../model/resource.ts';
import { bounds } from './list-bounds.ts';
import { validationError, type MutationError, type Issue } from './mutation-error.ts';
import { isGraphQLError } from '../graphql-error.ts';
import { dmsIdFrom } from '../ids.ts';
import { checkJsonSize } from '../json-size.ts';
import { builder } from '../builder.ts';

const TableInputRef = builder.inputType('TableInput', {
  description: `A table. Each row has one cell per column. All tables of one input together can have at most ${bounds.cells} cells.`,
  fields: (t) => ({
    columns: t.stringList({
      required: true,
      description: `Column names of the recognition form, at most ${bounds.columns}.`,
    }),
    rows: t.field({
      type: t.listRef(t.listRef('String')),
      required: true,
      description: `Rows of cells, without the column names; at most ${bounds.rows}.`,
    }),
  }),
});

export const FieldValueInputRef = builder.inputType('FieldValueInput', {
  description: 'A value for a form field. Set either `text` or `table`.',
  fields: (t) => ({
    tag: t.string({
      required: true,
      description: 'Tag of the form field, such as `supplier`. Each tag can occur once.',
    }),
    text: t.string({ description: 'The value as text. An empty string clears the field.' }),
    table: t.field({ type: TableInputRef, description: 'The value as a table.' }),
  }),
});

type TableInput = typeof TableInputRef.$inferInput;

/** A value of a form field, not yet validated: exactly one of `text` and `table` must be set. */
export type FieldValueInput = typeof FieldValueInputRef.$inferInput;

export type Path = readonly (string | number)[];

/** Maximum number of issues: an input can be as long as the request body, and each issue adds to the response. */
const MAX_ISSUES = 100;

class TooManyIssues extends Error {}

/**
 * Validates an input before any upstream call, and stops at the hundredth issue. `read` reports issues and continues
 * with undefined values. If there is any issue, its result is discarded.
 */
export function checkInput<T>(
  read: (check: InputCheck) => T,
  at: Path = [],
): { readonly value: T } | { readonly failure: MutationError } {
  const check = new InputCheck(at);
  try {
    const value = read(check);
    if (check.issues.length === 0) return { value };
  } catch (error) {
    if (!(error instanceof TooManyIssues)) throw error;
  }
  return { failure: validationError(check.issues) };
}

export class InputCheck {
  readonly issues: Issue[] = [];
  readonly #at: Path;
  #cells = 0;

  constructor(at: Path) {
    this.#at = at;
  }

  issue(path: Path, message: string): void {
    this.issues.push({ path: [...this.#at, ...path].map(String), message });
    if (this.issues.length === MAX_ISSUES) throw new TooManyIssues();
  }

  checkSetsField(fields: object, message = 'Set at least one field.'): void {
    if (Object.keys(definedFields(fields)).length === 0) this.issue([], message);
  }

  checkLength(path: Path, list: readonly unknown[], max: number): boolean {
    if (list.length <= max) return true;
    this.issue(path, `The list can have at most ${max} entries, not ${list.length}.`);
    return false;
  }

  id(type: NodeType, id: string, path: Path): string {
    try {
      return dmsIdFrom(type, id, path.join('.'));
    } catch (error) {
      if (!isGraphQLError(error)) throw error;
      this.issue(path, error.message);
      return undefined as never;
    }
  }

  optionalId(type: NodeType, id: string | null | undefined, path: Path): string | undefined {
    return id == null ? undefined : this.id(type, id, path);
  }

  optionalFullId(type: NodeType, id: string | null | undefined, path: Path): string | undefined {
    const own = this.optionalId(type, id, path);
    if (own !== undefined && !isFullId(own)) {
      this.issue(path, `\`${path.join('.')}\` must be a global ID or 24 hexadecimal characters.`);
    }
    return own;
  }

  /**
   * Validates an ID of another system, which can be any text that identifies the object. An empty one would match
   * objects without such an ID.
   */
  optionalForeignId(id: string | null | undefined, path: Path): string | undefined {
    if (id == null) return undefined;
    if (!isValidId(id)) {
      this.issue(path, `\`${path.join('.')}\` must be omitted or be ${ID_RULE}.`);
    }
    return id;
  }

  values(values: readonly FieldValueInput[] | null | undefined): FieldValue[] | undefined {
    if (values == null || !this.checkLength(['values'], values, bounds.inputValues))
      return undefined;
    const seen = new Set<string>();
    return values.map((value, i) => {
      const path = ['values', i];
      if (!isName(value.tag)) this.issue([...path, 'tag'], `${NAME_RULE}.`);
      if (seen.has(value.tag)) {
        this.issue([...path, 'tag'], `The tag ${JSON.stringify(value.tag)} occurs more than once.`);
      }
      seen.add(value.tag);
      return this.#value(value, path);
    });
  }

  #value({ tag, text, table }: FieldValueInput, path: Path): FieldValue {
    if ((text == null) === (table == null)) {
      this.issue(path, 'Set either `text` or `table`.');
    }
    if (table == null) return { kind: 'text', tag, text: text ?? '' };
    return this.table(tag, table, [...path, 'table']);
  }

  table(tag: string, { columns, rows }: TableInput, path: Path): FieldValue {
    const fits =
      this.checkLength([...path, 'columns'], columns, bounds.columns) &&
      this.checkLength([...path, 'rows'], rows, bounds.rows) &&
      this.#fitCells(path, rows);
    if (!fits) return { kind: 'table', tag, columns: [], rows: [] };
    for (const [r, row] of rows.entries()) {
      if (row.length === columns.length) continue;
      this.issue(
        [...path, 'rows', r],
        `The row has ${row.length} cells, but the table has ${columns.length} columns.`,
      );
    }
    return { kind: 'table', tag, columns, rows };
  }

  #fitCells(path: Path, rows: readonly (readonly string[])[]): boolean {
    const before = this.#cells;
    for (const row of rows) this.#cells += Math.max(1, row.length);
    if (this.#cells <= bounds.cells) return true;
    // Reported once, for the first table that exceeds the limit.
    if (before <= bounds.cells) {
      this.issue(path, `All tables of one input together can have at most ${bounds.cells} cells.`);
    }
    return false;
  }

  tags(tags: readonly string[] | null | undefined): readonly string[] | undefined {
    if (tags == null || !this.checkLength(['tags'], tags, bounds.inputTags)) return undefined;
    for (const [i, tag] of tags.entries()) {
      if (!isName(tag) || tag.includes(',')) {
        this.issue(['tags', i], `${NAME_RULE} and commas.`);
      }
    }
    return tags;
  }

  translations(
    list: readonly Translation[] | null | undefined,
  ): readonly Translation[] | undefined {
    if (list == null) return undefined;
    if (!this.checkLength(['value'], list, bounds.translations)) return [];
    const seen = new Set<string>();
    for (const [i, { language }] of list.entries()) {
      const path = ['value', i, 'language'];
      if (!/^[A-Za-z]{2,8}(-[A-Za-z\d]{1,8})*$/.test(language)) {
        this.issue(path, 'A language must be a code such as `en`.');
      }
      if (seen.has(language))
        this.issue(path, `The language \`${language}\` occurs more than once.`);
      seen.add(language);
    }
    return list;
  }

  /** Validates additional names, which are arbitrary JSON. Deeply nested JSON could not be serialized. */
  additionalNames(list: readonly unknown[] | null | undefined): readonly unknown[] | undefined {
    if (list == null) return undefined;
    if (!this.checkLength(['nameExt'], list, bounds.additionalNames)) return [];
    for (const [i, value] of list.entries()) {
      if (checkJsonSize(value, bounds.additionalNameLength) !== 'fits') {
        const message = `An additional name can have at most ${bounds.additionalNameLength} characters as JSON and at most 500 levels of nesting.`;
        this.issue(['nameExt', i], message);
      } else if (!isExact(value)) {
        this.issue(['nameExt', i], 'Numbers beyond 2^53 would lose digits.');
      }
    }
    return list;
  }
}

/** Whether a JSON value has no number that lost digits, or all of them (`1e400`), when it was parsed. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

const NAME_RULE = 'A tag must have 1 to 256 characters without control characters';

const isName = (text: string): boolean => /^\P{Cc}{1,256}$/u.test(text);

export function definedFields<T extends object>(
  parts: T,
): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value != null)) as {
    [Key in keyof T]?: NonNullable<T[Key]>;
  };
}
