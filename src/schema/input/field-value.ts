import { bounds } from './list-bounds.ts';
import { builder } from '../builder.ts';

interface TableInput {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface FieldValueInput {
  readonly tag: string;
  readonly text?: string | null | undefined;
  readonly table?: TableInput | null | undefined;
}

const TableInputRef = builder.inputRef<TableInput>('TableInput').implement({
  description: `A table: every row is as wide as the columns. The tables of an input have at most ${bounds.cells} cells together.`,
  fields: (t) => ({
    columns: t.stringList({
      required: true,
      description: `The column names of the recognition form: 1 to ${bounds.columns}.`,
    }),
    rows: t.field({
      type: t.listRef(t.listRef('String')),
      required: true,
      description: `The rows below the column names, each a list of cells; at most ${bounds.rows}.`,
    }),
  }),
});

/** A value of a form's field, as createDocument and respondToDocument take it. */
export const FieldValueInputRef = builder.inputRef<FieldValueInput>('FieldValueInput').implement({
  description: 'A value of a form’s field: either `text` or `table`.',
  fields: (t) => ({
    tag: t.string({ required: true, description: 'Tag of the form’s field; each at most once.' }),
    text: t.string({ description: 'The value as text; empty to empty the field.' }),
    table: t.field({ type: TableInputRef, description: 'The value as a table.' }),
  }),
});
