import { bounds } from './list-bounds.ts';
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

/** The input type of values in `createDocument` and `respondToDocument`. */
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

/** A table, not yet validated. */
export type TableInput = typeof TableInputRef.$inferInput;

/** A value of a form field, not yet validated: exactly one of `text` and `table` must be set. */
export type FieldValueInput = typeof FieldValueInputRef.$inferInput;
