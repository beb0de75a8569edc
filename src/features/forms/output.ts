import type { GraphQLError, GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { Translation, DocumentTable } from '../../model/common.ts';
import type { Document, DocumentValues } from '../../model/document.ts';
import type { DeclaredForms, TypedField, TypedForm } from '../../model/form.ts';
import { resources } from '../../model/resource.ts';
import type { ObjectFieldBuilder, OutputField } from '../../schema/builder.ts';
import type { ExtensionBuilder, SchemaRefs } from '../../schema/extend.ts';
import { createGraphQLError } from '../../schema/graphql-error.ts';
import { checkFields, checkReads, lazyList } from '../../schema/plan/list-fields.ts';
import { objectsBelow } from '../../schema/plan/requirements.ts';
import { itemsOf, objectName, readRelated } from '../../schema/related-objects.ts';
import { countListItems, isIdType, listItems, valueFormats } from './value-formats.ts';

interface Row {
  readonly positions: ReadonlyMap<string, number>;
  readonly cells: readonly unknown[];
}

export function addFormTypes(
  { typed, documentProperty }: DeclaredForms,
  builder: ExtensionBuilder,
  refs: SchemaRefs,
): void {
  for (const one of typed) {
    const { form, name, typeName, fields } = one;
    const Fields = builder.objectRef<DocumentValues>(typeName).implement({
      description: `Values of a document of the form ${described(form.shortId ?? form.fullId, form.titles)} A value that does not have the type of its field is null, with an error \`UNREADABLE_VALUE\`; its text is in \`values\`.`,
      fields: (t) =>
        fieldsOf(fields, (field) =>
          field.rowType === null
            ? valueField(t, field, refs, `${typeName}.${field.name}`)
            : rowsField(t, field, builder, refs),
        ),
    });
    builder.objectField(refs.DocumentRef, name, (t) =>
      t.field({
        type: Fields,
        nullable: true,
        requires: formRequirements(documentProperty),
        description: `Values of the form ${described(form.shortId ?? form.fullId, form.titles)} Null for a document of another form.`,
        resolve: (document) =>
          hasForm(document, one, documentProperty) ? (document.values ?? null) : null,
      }),
    );
  }
}

/** What must be known of a document to find its form and values. */
export function formRequirements(
  documentProperty: string | null,
): readonly ('values' | `extra:${string}`)[] {
  return documentProperty === null ? ['values'] : ['values', `extra:${documentProperty}`];
}

function hasForm(
  { values, extra }: Partial<Document>,
  { form, fields }: TypedForm,
  documentProperty: string | null,
): boolean {
  if (documentProperty !== null) return extra?.[documentProperty] === form.fullId;
  return values != null && fields.some(({ tag }) => contentOf(values, tag) != null);
}

export function described(name: string, labels: readonly Translation[]): string {
  const clean = (text: string): string =>
    text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s`]+/gu, ' ').slice(0, 200);
  const texts = labels.map(({ language, text }) =>
    language === '' ? clean(text) : `${clean(text)} (${clean(language)})`,
  );
  return `\`${clean(name)}\`${texts.length === 0 ? '' : `: ${texts.join(', ')}`}.`;
}

export function fieldsOf<T>(
  fields: readonly TypedField[],
  fieldOf: (field: TypedField) => T,
): Record<string, T> {
  return Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)]));
}

type Read<Shape> = (source: Shape) => string | DocumentTable | null;

function valueField(
  t: ObjectFieldBuilder<DocumentValues>,
  field: TypedField,
  refs: SchemaRefs,
  at: string,
): OutputField<unknown> {
  const { tag, type } = field;
  const unreadable = unreadableAt(at);
  const read: Read<DocumentValues> = (values) => {
    const content = contentOf(values, tag);
    const value = Array.isArray(content) ? values.value(tag) : null;
    return value?.kind === 'table' ? value : (exactText(content, type) ?? unreadable());
  };
  return typedField(t, field, refs, unreadable, read);
}

function contentOf({ byTags }: DocumentValues, tag: string): unknown {
  return byTags !== null && Object.hasOwn(byTags, tag) ? byTags[tag] : null;
}

function exactText(content: unknown, type: TypedField['type']): string | null {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  try {
    const text = JSON.stringify(content);
    const isExact =
      typeof content !== 'number' ||
      (Math.abs(content) <= Number.MAX_SAFE_INTEGER && (type !== 'Decimal' || text.length <= 15));
    return isExact ? text : null;
  } catch {
    return null; // too many levels of nesting
  }
}

function typedField<Shape>(
  t: ObjectFieldBuilder<Shape>,
  { tag, type, isList, labels }: TypedField,
  refs: SchemaRefs,
  unreadable: () => never,
  read: Read<Shape>,
): OutputField<unknown> {
  const isObject = isIdType(type);
  const cost = isObject
    ? ` Costs one DMS request${isList ? ' for each object' : ''}, unless only IDs are selected.`
    : '';
  // Pothos knows neither the names of the types nor their values before the file is read.
  const outputType = (
    type === 'Table' ? 'TableValue' : isObject ? refs[`${type}Ref`] : type
  ) as 'String';
  return t.field({
    type: (isList ? [outputType] : outputType) as 'String',
    nullable: (isList ? { list: true, items: true } : true) as true,
    ...(isObject && { cost: () => ({ calls: 1 }) }),
    ...(type !== 'Table' && { listCost: valueFormats[type].listCost ?? 1 }),
    description: described(tag, labels) + cost,
    resolve: (source: Shape, _args: object, context: GatewayContext, info: GraphQLResolveInfo) => {
      const content = read(source);
      if (content === null || content === '') return null;
      if (type === 'Table' || typeof content !== 'string') {
        return type === 'Table' && typeof content !== 'string'
          ? rectangular(content, context)
          : unreadable();
      }
      const { read: readOne } = valueFormats[type];
      const readValue = (text: string): unknown => {
        const value = readOne(text, context, info);
        return value === undefined ? unreadable() : value;
      };
      return isList ? listOf(content, type, readValue, context, info) : readValue(content);
    },
  } as never) as OutputField<unknown>;
}

function rectangular(table: DocumentTable, context: GatewayContext): DocumentTable {
  const { tag, columnCount, rowCount } = table;
  const cellCount = rowCount * columnCount;
  if (cellCount === table.cellCount) return table;
  checkFields(context, rowCount + cellCount);
  const { columns } = table;
  const rows = table.rows.map((row) => columns.map((_, i) => row[i] ?? ''));
  return { kind: 'table', tag, columns, columnCount, rows, rowCount, cellCount };
}

function listOf(
  text: string,
  type: TypedField['type'],
  readValue: (text: string) => unknown,
  context: GatewayContext,
  info: GraphQLResolveInfo,
): unknown {
  const length = countListItems(text, context.maxListFields);
  const parts = (): string[] => listItems(type, text, length);
  if (!isIdType(type)) {
    return lazyList(length, () => itemsOf(parts(), readValue, context, info));
  }
  const { isKey } = valueFormats[type];
  return readRelated({ type, length, ids: parts, isKey }, readValue, context, info);
}

function rowsField(
  t: ObjectFieldBuilder<DocumentValues>,
  { tag, labels, rowType, columns }: TypedField,
  builder: ExtensionBuilder,
  refs: SchemaRefs,
): OutputField<unknown> {
  const RowRef = builder.objectRef<Row>(rowType!).implement({
    description: `A row of the table ${described(tag, labels)} A column that the table does not have is null.`,
    fields: (row) =>
      fieldsOf(columns, (column) => {
        const unreadable = unreadableAt(`${rowType}.${column.name}`);
        return typedField(
          row,
          column,
          refs,
          unreadable,
          (cells) => textOf(cells, column) ?? unreadable(),
        );
      }),
  });
  const positionsOf = columnFinder(columns);
  const unreadable = unreadableAt(rowType!);
  return t.field({
    type: [RowRef],
    nullable: true,
    description: described(tag, labels),
    resolve: (values, _args, context, info) => {
      const content = contentOf(values, tag);
      if (content === null || content === undefined || content === '') return null;
      const value = Array.isArray(content) ? values.value(tag) : null;
      if (value?.kind !== 'table') return unreadable();
      return lazyList(value.rowCount, () => {
        const [header = [], ...table] = content as readonly (readonly unknown[])[];
        const positions = positionsOf(header);
        const rows = table.map((cells) => ({ positions, cells }));
        checkReads(objectsIn(rows, columns, info), context);
        return rows;
      });
    },
  });
}

const textOf = ({ positions, cells }: Row, { tag, type }: TypedField): string | null =>
  exactText(cells[positions.get(tag) ?? -1], type);

function columnFinder(
  columns: readonly TypedField[],
): (header: readonly unknown[]) => ReadonlyMap<string, number> {
  const declared = new Set(columns.map(({ tag }) => tag));
  const found = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();
  return (header) => {
    let positions = found.get(header);
    if (positions === undefined) {
      const first = new Map<string, number>();
      for (const [at, name] of header.entries()) {
        if (typeof name === 'string' && declared.has(name) && !first.has(name)) first.set(name, at);
      }
      positions = first;
      found.set(header, first);
    }
    return positions;
  };
}

function objectsIn(
  rows: readonly Row[],
  columns: readonly TypedField[],
  info: GraphQLResolveInfo,
): string[] {
  return objectsBelow(info).flatMap(({ name, isKeyOnly }) => {
    const column = columns.find((one) => one.name === name);
    if (column === undefined || column.isList || !isIdType(column.type)) return [];
    const { type } = column;
    const isRead = (id: string): boolean =>
      resources[type].accepts.matches(id) && !(isKeyOnly && valueFormats[type].isKey!(id));
    const ids = rows.map((row) => textOf(row, column) ?? '');
    return ids.filter(isRead).map((id) => objectName(type, id));
  });
}

/**
 * Returns the function that throws the error of a field whose value does not have its type. It is always the same error,
 * because a list can have thousands of such values.
 */
function unreadableAt(at: string): () => never {
  let error: GraphQLError | undefined;
  return () => {
    error ??= createGraphQLError(
      `The stored value does not have the type of ${at}. Its text is in \`values\`.`,
      { extensions: { code: 'UNREADABLE_VALUE' } },
    );
    throw error;
  };
}
