import {
  formatTable,
  isEditable,
  lacksColumnName,
  parseTable,
  trimTable,
  type Table,
} from '../../domain/table-text.ts';
import type {
  DocumentFieldsInput,
  FieldValueFragment,
  FieldValueInput,
} from '../../gql/graphql.ts';
import {
  editableValue,
  listOf,
  readValue,
  rewriteValue,
  type ValueType,
} from '../../language/reading.ts';
import { useExplainText } from './explain-text.ts';
import { useText } from '../../language/text.ts';
import type { FieldDefinition } from './field-definition.ts';

export type Texts = ReadonlyMap<string, string>;

/** The tag of the field that has the tags of the document. No field of a form has it. */
export const tagsTag = ' tags';

export function useTagsField(): FieldDefinition {
  const label = useText()('Tags, separated by commas');
  return { tag: tagsTag, label, type: '', isRequired: false, columns: [] };
}

/** Returns a value as a text to edit, or null for a table that cannot be one. */
export function editableText(
  field: FieldDefinition,
  value: FieldValueFragment,
  locale: string,
): string | null {
  if (value.__typename === 'TextValue') return editableValue(field, value.text, locale);
  if (!isEditable(value)) return null;
  return formatTable(mapCells(field, value, (column, cell) => editableValue(column, cell, locale)));
}

export function rewriteTexts(
  fields: readonly FieldDefinition[],
  texts: Texts,
  from: string,
  to: string,
): Texts {
  const rewrite = (of: ValueType, text: string): string => rewriteValue(of, text, from, to);
  return new Map(
    [...texts].map(([tag, text]) => {
      const field = fields.find((one) => one.tag === tag);
      if (field?.type !== 'table') return [tag, rewrite(field ?? { type: '' }, text)];
      return [tag, formatTable(mapCells(field, parseTable(text), rewrite))];
    }),
  );
}

export function mapCells(
  { columns: declared }: FieldDefinition,
  { columns, rows }: Table,
  map: (column: ValueType, cell: string) => string,
): Table {
  const types = columns.map((name) => declared.find((one) => one.name === name) ?? { type: '' });
  return { columns, rows: rows.map((row) => row.map((cell, x) => map(types[x]!, cell))) };
}

/** Returns a function that returns what is wrong with the texts of fields, by tag. The gateway and the DMS check the rest. */
export function useCheckTexts() {
  const t = useText();
  const explain = useExplainText();
  const issueOf = (field: FieldDefinition, text: string): string | null => {
    const { type, isRequired } = field;
    if (text.trim() === '') return isRequired ? t('Enter a value.') : null;
    if (type !== 'table') return explain(field, text);
    const table = parseTable(text);
    if (lacksColumnName(table)) return t('Enter a name for each column that has cells.');
    const isReadable = wrongCells(field, table, explain).length === 0;
    return isReadable ? null : t('Correct the marked cells.');
  };
  return (fields: readonly FieldDefinition[], texts: Texts): ReadonlyMap<string, string> =>
    new Map(
      fields.flatMap((field) => {
        const issue = issueOf(field, texts.get(field.tag) ?? '');
        return issue === null ? [] : [[field.tag, issue]];
      }),
    );
}

export function wrongCells(
  { columns: declared }: Pick<FieldDefinition, 'columns'>,
  { columns, rows }: Table,
  explain: (of: ValueType, text: string) => string | null,
) {
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => {
      const definition = declared.find(({ name }) => name === columns[column]);
      const text = definition ? explain(definition, cell) : null;
      return text === null ? [] : [{ row, column, text }];
    }),
  );
}

/**
 * Returns the input of a mutation for texts that were checked. The empty text empties a field.
 *
 * @param form short ID of the form whose fields the gateway has typed. Null: it does not know the form.
 */
export function toFieldInputs(
  form: string | null,
  fields: readonly FieldDefinition[],
  texts: Texts,
  locale: string,
) {
  const typed: Record<string, unknown> = {};
  let tags: string[] | null = null;
  const values: FieldValueInput[] = [];
  const paths = new Map<string, string>();
  for (const field of fields) {
    const { tag, type } = field;
    const text = texts.get(tag);
    if (text === undefined) continue;
    if (tag === tagsTag) {
      tags = listOf(text);
      paths.set(tag, 'tags');
    } else if (form !== null && hasType(field, text)) {
      typed[fieldNameOf(tag)] = typedValue(field, text, locale);
      paths.set(tag, `fields.${fieldNameOf(form)}.${fieldNameOf(tag)}`);
    } else {
      paths.set(tag, `values.${values.length}`);
      const isTable = type === 'table' && text.trim() !== ''; // the empty text clears a table, too
      values.push(
        isTable
          ? { tag, table: trimTable(readCells(field, parseTable(text), locale)) }
          : { tag, text: readValue(field, text, locale) ?? text },
      );
    }
  }
  const isTyped = form !== null && Object.keys(typed).length > 0;
  return {
    input: {
      // A gateway that does not know the forms has no such input.
      ...(isTyped && { fields: { [fieldNameOf(form)]: typed } as DocumentFieldsInput }),
      ...(tags && { tags }),
      values,
    },
    paths,
  };
}

function hasType({ type, columns }: FieldDefinition, text: string): boolean {
  if (type === '') return false;
  if (type !== 'table') return true;
  const names = columns.map(({ name }) => name);
  return names.length > 0 && parseTable(text).columns.every((name) => names.includes(name));
}

function typedValue(field: FieldDefinition, text: string, locale: string): unknown {
  const { type } = field;
  if (text.trim() === '') return null;
  if (type === 'docForms') return text.split(/[\s,]+/).filter(Boolean);
  if (type !== 'table') return readValue(field, text, locale);
  const { columns, rows } = trimTable(readCells(field, parseTable(text), locale));
  return rows.map((row) =>
    Object.fromEntries(
      row.flatMap((cell, x) => (cell === '' ? [] : [[fieldNameOf(columns[x]!), cell]])),
    ),
  );
}

function readCells(field: FieldDefinition, table: Table, locale: string): Table {
  return mapCells(field, table, (column, cell) => readValue(column, cell, locale) ?? cell);
}

function fieldNameOf(tag: string): string {
  const [first = '', ...others] = tag.split(/[\s!-/:-@[-`{-~]+/).filter((word) => word !== '');
  const start =
    first === first.toUpperCase() ? first.toLowerCase() : first[0]!.toLowerCase() + first.slice(1);
  return start + others.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

export function cellIssueAt(
  issues: ReadonlyMap<string, string>,
  path: string,
  { row, column }: { readonly row: number; readonly column: string },
): string | undefined {
  return issues.get(`${path}.${row}.${fieldNameOf(column)}`);
}
