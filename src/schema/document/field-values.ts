import type { DocumentValues } from '../../model/document.ts';
import type { FieldValue } from '../../model/common.ts';
import { checkCount } from '../graphql-error.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { couldBeId } from '../ids.ts';
import { countFields } from '../selection/list-fields.ts';
import { documentRequirements } from '../selection/projection.ts';
import {
  DocumentRef,
  FieldValueRef,
  ListValueRef,
  OrganizationRef,
  PersonRef,
  RecoDataRef,
} from '../refs.ts';

type ObjectFieldBuilder<Shape> = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  Shape
>;
type TextValue = Extract<FieldValue, { kind: 'text' }>;
type TableValue = Extract<FieldValue, { kind: 'table' }>;

const tag = 'Tag of the form’s field.';

FieldValueRef.implement({
  description: 'A value of a form’s field: text, or a table.',
  resolveType: ({ kind }) => (kind === 'text' ? 'TextValue' : 'TableValue'),
  fields: (t) => ({ tag: t.exposeString('tag', { description: tag }) }),
});

builder.objectType(builder.objectRef<TextValue>('TextValue'), {
  description: 'A value that is a text, and may be the id of something.',
  interfaces: [FieldValueRef],
  fields: (t) => ({
    tag: t.exposeString('tag', { description: tag }),
    text: t.exposeString('text', { description: 'The text.' }),
    organization: t.field({
      type: OrganizationRef,
      nullable: true,
      description:
        'The organization whose full, external or government id the text is. Null if there is none, and for a text with spaces or separators, which is not looked up.',
      resolve: ({ text }, _args, { loaders }) =>
        couldBeId('Organization', text) ? loaders.organization.load(text) : null,
    }),
    person: t.field({
      type: PersonRef,
      nullable: true,
      description: 'The person whose system id the text is; null where there is none.',
      resolve: ({ text }, _args, { loaders }) =>
        couldBeId('Person', text) ? loaders.person.load(text) : null,
    }),
    listValue: t.field({
      type: ListValueRef,
      nullable: true,
      description: 'The list value whose full id the text is; null where there is none.',
      resolve: ({ text }, _args, { loaders }) =>
        couldBeId('ListValue', text) ? loaders.listValue.load(text) : null,
    }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description:
        'The document whose full or short id the text is. Null if there is none, and for a text with spaces or separators, which is not looked up.',
      resolve: ({ text }, _args, { loaders }, info) =>
        couldBeId('Document', text)
          ? loaders.document.load(text, documentRequirements(info))
          : null,
    }),
  }),
});

builder.objectType(builder.objectRef<TableValue>('TableValue'), {
  description: 'A value that is a table.',
  interfaces: [FieldValueRef],
  fields: (t) => ({
    tag: t.exposeString('tag', { description: tag }),
    columns: t.exposeStringList('columns', {
      description: 'The column names of the recognition form.',
    }),
    rows: t.expose('rows', {
      type: t.listRef(t.listRef('String')),
      description: 'The rows below the column names, each a list of cells.',
    }),
    records: t.field({
      type: ['JSONObject'],
      description:
        'One object a row, keyed by column name. Of columns with the same name the last one counts; a cell without a column is left out.',
      resolve: ({ columns, rows }, _args, context) => {
        countFields(context, rows.length * columns.length);
        return rows.map((row) =>
          Object.fromEntries(columns.map((column, i) => [column, row[i] ?? ''])),
        );
      },
    }),
  }),
});

/** What a document and a recognition entry have in common. */
interface HasValues {
  readonly values?: DocumentValues;
}

const valueFields = (t: ObjectFieldBuilder<HasValues>) => ({
  values: t.field({
    type: [FieldValueRef],
    args: {
      tags: t.arg.stringList({
        description: `Tags of fields, at most ${bounds.valueTags}; left out: all of them.`,
      }),
    },
    requires: ['values'],
    precheck: ({ tags }: { tags?: readonly string[] | null }) => {
      if (tags != null) checkCount('tags', tags, bounds.valueTags);
      return {};
    },
    description:
      'The values of the form’s fields (`valuesByTags`), in the order of the DMS; only the given tags, where given.',
    resolve: ({ values }, { tags }) => {
      const list = values?.list() ?? [];
      if (tags == null) return list;
      checkCount('tags', tags, bounds.valueTags);
      const wanted = new Set(tags);
      return list.filter(({ tag }) => wanted.has(tag));
    },
  }),
  value: t.field({
    type: FieldValueRef,
    nullable: true,
    args: {
      tag: t.arg.string({ required: true, description: tag }),
    },
    requires: ['values'],
    description: 'The value of one field; null where it has none.',
    resolve: ({ values }, args) => values?.value(args.tag) ?? null,
  }),
  valuesByTags: t.field({
    type: 'JSONObject',
    nullable: true,
    requires: ['values'],
    description: 'The DMS’s own object of values, unchanged; null where it leaves it out.',
    resolve: ({ values }) => values?.byTags ?? null,
  }),
});

// Their builders are builders of what both have in common; Pothos types them apart.
builder.objectFields(DocumentRef, (t) => valueFields(t as never));
builder.objectFields(RecoDataRef, (t) => valueFields(t as never));
