import type { GraphQLResolveInfo } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { DocumentTable } from '../../model/common.ts';
import type { DocumentValue, DocumentValues } from '../../model/document.ts';
import { checkCount } from '../graphql-error.ts';
import { bounds } from '../input/list-bounds.ts';
import type { NodeType } from '../../model/resource.ts';
import type { ValueType } from '../../model/form.ts';
import { builder, type ObjectFieldBuilder } from '../builder.ts';
import { couldBeId } from '../ids.ts';
import { lazyList } from '../plan/list-fields.ts';
import { parsedArgs } from '../plan/parsed-arguments.ts';
import {
  DocumentRef,
  FieldValueRef,
  ListValueRef,
  OrganizationRef,
  PersonRef,
  RecoDataRef,
} from '../refs.ts';
import type { ObjectOf } from '../../model/resource.ts';
import { readObject } from '../related-objects.ts';

type TextValue = Extract<DocumentValue, { kind: 'text' }>;

const tag = 'Tag of the form field, such as `supplier`.';

const readObjectOf =
  <T extends NodeType & ValueType>(type: T) =>
  (
    { tag, text }: TextValue,
    _args: object,
    context: GatewayContext,
    info: GraphQLResolveInfo,
  ): Promise<ObjectOf<T> | null> | null => {
    const types = context.forms?.typesByTag.get(tag);
    const isId = couldBeId(type, text) && (types === undefined || types.has(type));
    return isId ? readObject(type, text, context, info) : null;
  };

const ofOneCall = () => ({ calls: 1 });

FieldValueRef.implement({
  description: 'A value of a form field: a text or a table.',
  resolveType: ({ kind }) => (kind === 'text' ? 'TextValue' : 'TableValue'),
  fields: (t) => ({ tag: t.exposeString('tag', { description: tag }) }),
});

builder.objectType(builder.objectRef<TextValue>('TextValue'), {
  description:
    'A text value. If the text is the ID of an object, select the field of its type to fetch the object. If declared forms have the tag, but not with this type, the field is null without a DMS request.',
  interfaces: [FieldValueRef],
  fields: (t) => ({
    tag: t.exposeString('tag', { description: tag }),
    text: t.exposeString('text', { description: 'The text.' }),
    organization: t.field({
      type: OrganizationRef,
      nullable: true,
      description:
        'The organization that has the text as its full, external or government ID. Costs one DMS request. A text with whitespace, a backslash or one of `, ; / ? # % &` is not looked up.',
      cost: ofOneCall,
      resolve: readObjectOf('Organization'),
    }),
    person: t.field({
      type: PersonRef,
      nullable: true,
      description:
        'The person that has the text as its system ID. Costs one DMS request if the text begins with `usr-`.',
      cost: ofOneCall,
      resolve: readObjectOf('Person'),
    }),
    listValue: t.field({
      type: ListValueRef,
      nullable: true,
      description:
        'The list value that has the text as its full ID. Costs one DMS request if the text consists of 24 hexadecimal characters.',
      cost: ofOneCall,
      resolve: readObjectOf('ListValue'),
    }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description:
        'The document that has the text as its full or short ID. Costs one DMS request. A text with whitespace, a backslash or one of `, ; / ? # % &` is not looked up.',
      cost: ofOneCall,
      resolve: readObjectOf('Document'),
    }),
  }),
});

builder.objectType(builder.objectRef<DocumentTable>('TableValue'), {
  description: 'A table value.',
  interfaces: [FieldValueRef],
  fields: (t) => ({
    tag: t.exposeString('tag', { description: tag }),
    columns: t.stringList({
      description: 'Column names of the recognition form.',
      resolve: (table) => lazyList(table.columnCount, () => table.columns),
    }),
    rows: t.field({
      type: t.listRef(t.listRef('String')),
      description: 'Rows of cells, without the column names.',
      resolve: (table) =>
        lazyList(table.rowCount, () => table.rows, table.rowCount + table.cellCount),
    }),
    records: t.field({
      type: ['JSONObject'],
      description:
        'One object per row with the column names as keys, such as `{ "item": "Copy paper", "quantity": "5" }`. If columns have the same name, the last one is used. Cells without a column are omitted.',
      resolve: (table) =>
        lazyList(table.rowCount, () => recordsOf(table), table.rowCount * (1 + table.columnCount)),
    }),
  }),
});

function recordsOf({ columns, rows }: DocumentTable): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? ''])));
}

interface HasValues {
  readonly values?: DocumentValues;
}

interface ValuesArgs {
  readonly tags?: readonly string[] | null | undefined;
}

function parseTags({ tags }: ValuesArgs): ReadonlySet<string> | undefined {
  if (tags == null) return undefined;
  checkCount('tags', tags, bounds.valueTags);
  return new Set(tags);
}

const valueFields = (t: ObjectFieldBuilder<HasValues>) => ({
  values: t.field({
    type: [FieldValueRef],
    args: {
      tags: t.arg.stringList({
        description: `Tags of the form fields to return, at most ${bounds.valueTags}. Default: all.`,
      }),
    },
    requires: ['values'],
    parse: parseTags,
    description:
      'Values of the form fields. For single fields, use `value`, which is null if the document has no such tag.',
    resolve: ({ values }, args, context, info) => {
      const found = values?.tags(parsedArgs(parseTags, args, context, info)) ?? [];
      return lazyList(found.length, () => found.map((one) => values!.value(one)!));
    },
  }),
  value: t.field({
    type: FieldValueRef,
    nullable: true,
    args: {
      tag: t.arg.string({ required: true, description: tag }),
    },
    requires: ['values'],
    description: 'Value of the form field with this tag.',
    resolve: ({ values }, args) => values?.value(args.tag) ?? null,
  }),
  valuesByTags: t.field({
    type: 'JSONObject',
    nullable: true,
    requires: ['values'],
    description:
      'All values by tag, as the DMS returns them. Prefer `values`, which distinguishes texts and tables.',
    resolve: ({ values }) => values?.byTags ?? null,
  }),
});

// Both builders support the common fields, but Pothos gives them unrelated types.
builder.objectFields(DocumentRef, (t) => valueFields(t as never));
builder.objectFields(RecoDataRef, (t) => valueFields(t as never));
