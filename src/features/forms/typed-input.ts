import { isDeepStrictEqual } from 'node:util';
import type { FieldValue, WrittenValue } from '../../model/common.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document, DocumentValue } from '../../model/document.ts';
import type { DeclaredForms, Form, TypedField, ValueType } from '../../model/form.ts';
import type { InputCheck, Path } from '../../schema/input/input-check.ts';
import { bounds } from '../../schema/input/list-bounds.ts';
import type {
  CheckedValues,
  Fields,
  GivenValues,
  ValueRules,
  ValuesInput,
  ValuesOf,
} from '../../schema/input/value-rules.ts';
import { listItems, valueFormats } from './value-formats.ts';

export function createValueRules(forms: DeclaredForms): ValueRules {
  return {
    checkValues: (check, input, of) => checkValues(check, input, forms, of),
    checksForm: (input) => checksForm(input, forms),
    storedRequirements: (input) => storedRequirements(input, forms),
    formOf: (document) => formOf(document, forms),
    checkForm: (check, values, form, of) => checkForm(check, values, form, forms, of),
    keepStored,
  };
}

function checkValues(
  check: InputCheck,
  { values, fields }: ValuesInput,
  forms: DeclaredForms,
  of: ValuesOf,
): CheckedValues {
  const plain = check.values(values);
  if (fields == null) return { values: plain, typed: null };
  const [name, ...others] = Object.keys(fields).filter((key) => fields[key] != null);
  const form = forms.typed.find((one) => one.name === name);
  if (form === undefined || others.length > 0) {
    check.issue(['fields'], 'Set the fields of exactly one form.');
    return { values: plain, typed: null };
  }
  const path = ['fields', form.name];
  const written = new Writer(check, of).values(form.fields, fields[form.name]!, path);
  const tags = new Set(written.map(({ tag }) => tag));
  for (const [i, { tag }] of (plain ?? []).entries()) {
    if (tags.has(tag)) check.issue(['values', i, 'tag'], 'The value is in `fields` too.');
  }
  return { values: [...(plain ?? []), ...written], typed: form };
}

function checksForm({ values, fields }: ValuesInput, forms: DeclaredForms): boolean {
  if (forms.documentProperty === null) return false;
  return fields != null || (forms.validatesValues && values != null);
}

function storedRequirements(
  input: ValuesInput,
  forms: DeclaredForms,
): readonly DocumentRequirement[] {
  const isRewritten = forms.typed.some(({ name, fields: known }) =>
    known.some((field) => input.fields?.[name]?.[field.name] != null && isAmbiguous(field)),
  );
  return [
    ...(checksForm(input, forms) ? ([`extra:${forms.documentProperty}`] as const) : []),
    ...(isRewritten ? (['values'] as const) : []),
  ];
}

const isAmbiguous = ({ type, isList }: TypedField): boolean =>
  isList || type === 'Date' || type === 'DateTime' || type === 'Table';

function keepStored(
  { values, typed, plain }: GivenValues,
  { values: stored }: Document,
): readonly WrittenValue[] | undefined {
  return values?.map((value) => {
    const { tag } = value;
    const field = typed?.fields.find((one) => one.tag === tag);
    const old = stored?.value(tag);
    const isTyped = field !== undefined && !plain?.some((one) => one.tag === tag);
    if (!isTyped || old == null || !isAmbiguous(field)) return value;
    const changed =
      value.kind === 'text' ? changedText(field, value, old) : changedTable(field, value, old);
    return changed ?? { kind: 'stored', tag, content: stored?.byTags?.[tag] };
  });
}

type Written<Kind> = Extract<FieldValue, { kind: Kind }>;

function changedText(
  field: TypedField,
  value: Written<'text'>,
  stored: DocumentValue,
): Written<'text'> | null {
  return stored.kind === 'text' && isSameText(field, value.text, stored.text) ? null : value;
}

function changedTable(
  field: TypedField,
  value: Written<'table'>,
  stored: DocumentValue,
): Written<'table'> | null {
  // A table that is too large to be written need not be parsed.
  if (stored.kind === 'text' || stored.cellCount > bounds.cells) return value;
  const isDeclared = field.rowType !== null;
  if (!isDeclared && !isDeepStrictEqual(value.columns, stored.columns)) return value;
  const positions = value.columns.map((name, i) => (isDeclared ? stored.columns.indexOf(name) : i));
  let hasChanged = value.rows.length !== stored.rowCount;
  const rows = value.rows.map((row, r) =>
    row.map((text, i) => {
      const old = stored.rows[r]?.[positions[i]!] ?? '';
      const isSame = isSameText(field.columns[i], text, old);
      hasChanged ||= !isSame;
      return isSame ? old : text;
    }),
  );
  return hasChanged ? { ...value, rows } : null;
}

function isSameText(field: TypedField | undefined, written: string, stored: string): boolean {
  if (written === stored || field === undefined || field.type === 'Table') {
    return written === stored;
  }
  const { type, isList } = field;
  const { normalized = String } = valueFormats[type];
  const texts = isList ? listItems(type, stored, bounds.listValues) : [stored];
  return written === texts.map(normalized).join(',');
}

function formOf({ extra }: Document, forms: DeclaredForms): Form | null | undefined {
  if (forms.documentProperty === null || extra === undefined) return undefined;
  const id = extra[forms.documentProperty];
  return forms.all.find(({ fullId }) => fullId === id) ?? null;
}

/**
 * Checks values against the form of their document: that the typed ones belong to it and, with `VALIDATE_VALUES`, that
 * it has the tags of plain ones, that these have the types of their fields, and that required fields are not empty.
 */
function checkForm(
  check: InputCheck,
  { values = [], typed, plain }: GivenValues,
  form: Form | null,
  forms: DeclaredForms,
  of: ValuesOf,
): void {
  if (typed !== null && typed.form.fullId !== form?.fullId) {
    check.issue(['fields', typed.name], 'The document does not have this form.');
  }
  if (!forms.validatesValues || form === null) return;
  const shown = form.shortId ?? form.fullId;
  const tags = new Set(form.customFields.map(({ fieldName }) => fieldName));
  for (const [i, { tag }] of (plain ?? []).entries()) {
    if (tags.has(tag)) continue;
    check.issue(
      ['values', i],
      `The form ${shown} has no field with the tag ${JSON.stringify(tag)}.`,
    );
  }
  const types = forms.typed.find((one) => one.form.fullId === form.fullId)?.fields ?? [];
  const typeOf = new Map(types.map((field) => [field.tag, field]));
  // The plain values come first. None of too many is known.
  const plainCount = plain != null && plain.length <= bounds.inputValues ? plain.length : 0;
  for (const [i, value] of values.slice(0, plainCount).entries()) {
    const field = typeOf.get(value.tag);
    if (field !== undefined) checkType(check, field, value, ['values', i]);
  }
  const isEmpty = (tag: string | null): boolean => {
    const value = values.find((one) => one.tag === tag);
    if (value === undefined) return of === 'newDocument';
    // An empty typed value has been reported at its own path.
    const isPlain = plain?.some((one) => one.tag === tag) === true;
    return isPlain && value.kind === 'text' && value.text === '';
  };
  const missing = form.customFields.filter(
    ({ required, fieldName }) => required === true && isEmpty(fieldName),
  );
  for (const { fieldName } of missing) {
    check.issue(['values'], `The field ${JSON.stringify(fieldName)} is required.`);
  }
}

/** Checks that a plain value has the type of its field, so that it can be read as one. An empty text is none. */
function checkType(check: InputCheck, field: TypedField, value: FieldValue, path: Path): void {
  if (value.kind === 'text') {
    if (field.type === 'Table' && value.text !== '') {
      check.issue([...path, 'text'], 'The value must be a table.');
    } else checkText(check, field, value.text, [...path, 'text']);
    return;
  }
  if (field.type !== 'Table') return check.issue([...path, 'table'], 'The value must be a text.');
  for (const [c, name] of value.columns.entries()) {
    const column = field.columns.find(({ tag }) => tag === name);
    if (column === undefined) continue;
    for (const [r, row] of value.rows.entries()) {
      checkText(check, column, row[c] ?? '', [...path, 'table', 'rows', r, c]);
    }
  }
}

function checkText(
  check: InputCheck,
  { type, isList }: TypedField,
  text: string,
  path: Path,
): void {
  if (text === '' || type === 'Table') return;
  const { matches, stored } = valueFormats[type];
  if (!isList) {
    if (!matches(text)) check.issue(path, `The value must be ${stored}.`);
    return;
  }
  const items = listItems(type, text, bounds.listValues);
  if (!check.checkLength(path, items, bounds.listValues)) return;
  if (!items.every(matches)) check.issue(path, `Each value of the list must be ${stored}.`);
}

class Writer {
  readonly #check: InputCheck;
  readonly #of: ValuesOf;

  constructor(check: InputCheck, of: ValuesOf) {
    this.#check = check;
    this.#of = of;
  }

  values(fields: readonly TypedField[], input: Fields, path: Path): FieldValue[] {
    return fields.flatMap((field) => {
      const at = [...path, field.name];
      const value = input[field.name];
      // On creation, null is not sent, as in every input.
      if (value === undefined || (value === null && this.#of === 'newDocument')) return [];
      return [this.#value(field, value, at)];
    });
  }

  #value(field: TypedField, value: unknown, path: Path): FieldValue {
    const { tag, type, isRequired } = field;
    if (type === 'Table' && value !== null) return this.#table(field, value, path);
    return { kind: 'text', tag, text: this.#text(field, value, path, isRequired) };
  }

  #table({ tag, rowType, columns }: TypedField, value: unknown, path: Path): FieldValue {
    if (rowType === null) return this.#check.table(tag, value as never, path);
    const rows = value as readonly Fields[];
    if (!this.#check.checkLength(path, rows, bounds.rows)) {
      return { kind: 'table', tag, columns: [], rows: [] };
    }
    const cells = rows.map((row, r) =>
      columns.map((column) => {
        const cell = row[column.name] ?? null;
        // A row of a document can have empty cells, and is written back as a whole.
        const isRequired = column.isRequired && this.#of === 'newDocument';
        return this.#text(column, cell, [...path, r, column.name], isRequired);
      }),
    );
    const names = columns.map((column) => column.tag);
    return this.#check.table(tag, { columns: names, rows: cells }, path);
  }

  #text(field: TypedField, value: unknown, path: Path, isRequired: boolean): string {
    const { issues } = this.#check;
    const before = issues.length;
    const text = value === null ? '' : this.#textOf(field, value, path);
    // A text that is empty because it is invalid has been reported.
    if (isRequired && text === '' && issues.length === before) {
      this.#check.issue(path, 'The field is required.');
    }
    return text;
  }

  #textOf({ type, isList }: TypedField, value: unknown, path: Path): string {
    if (type === 'Table') return '';
    const { write } = valueFormats[type];
    if (!isList) return write(value, path, this.#check);
    const items = value as readonly unknown[];
    if (!this.#check.checkLength(path, items, bounds.listValues)) return '';
    return items
      .map((item, i) => this.#item(type, write(item, [...path, i], this.#check), [...path, i]))
      .join(',');
  }

  #item(type: ValueType, text: string, path: Path): string {
    if ((text === '' && type !== 'String') || text.includes(',')) {
      this.#check.issue(path, 'A value of a list must have no comma, and must not be empty.');
    }
    return text;
  }
}
