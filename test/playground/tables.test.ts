import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { tablesOf } from '../../examples/playground/src/result/tables.ts';
import { schema } from '../helpers/served-schema.ts';

/** The tables of a result as text. A link is `text <href>`. */
function tables(query: string, data: unknown, known: typeof schema | null = schema) {
  const pageOf = (id: string): string => `/${id}`;
  return tablesOf(data, parse(query), known, pageOf).map(({ name, columns, rows }) => ({
    name,
    columns,
    rows: rows.map((row) =>
      columns.map((column) =>
        row
          .get(column)
          ?.map(({ text, href }) => (href === undefined ? text : `${text} <${href}>`))
          .join(', '),
      ),
    ),
  }));
}

it('shows each list with objects in columns, and links documents and files', () => {
  const query = `query {
    documents { totalCount nodes { state shortId ...Rest files { name url } tags } }
  }
  fragment Rest on Document { author { id ... on Person { fullName } } meta { revision } }`;
  const nodes = [
    {
      state: 10,
      shortId: 'DOC-1',
      author: { id: 'a', fullName: 'Ann' },
      meta: { revision: 3 },
      files: [
        { name: 'a.pdf', url: 'http://g/a' },
        { name: 'b.pdf', url: 'http://g/b' },
      ],
      tags: ['x', 'y'],
    },
    { state: null, shortId: 'DOC-2', author: null, meta: null, files: [], tags: [] },
  ];
  expect(tables(query, { documents: { totalCount: 2, nodes } })).toEqual([
    {
      name: 'documents nodes',
      columns: [
        'state',
        'shortId',
        'author id',
        'author fullName',
        'meta revision',
        'files',
        'tags',
      ],
      rows: [
        ['10', 'DOC-1 </DOC-1>', 'a', 'Ann', '3', 'a.pdf <http://g/a>, b.pdf <http://g/b>', 'x, y'],
        ['', 'DOC-2 </DOC-2>', undefined, undefined, undefined, '', ''],
      ],
    },
  ]);
});

it('follows aliases and edges, and links one ID of each document', () => {
  const query =
    '{ inbox: documents { edges { node { key: id no: shortId refByDocs { nodes { shortId } } } } } }';
  const node = { key: 'RG9j', no: 'DOC-1', refByDocs: { nodes: [{ shortId: 'DOC-2' }] } };
  expect(tables(query, { inbox: { edges: [{ node }] } })).toEqual([
    {
      name: 'inbox edges',
      columns: ['node key', 'node no', 'node refByDocs nodes'],
      rows: [['RG9j </RG9j>', 'DOC-1', 'DOC-2 </DOC-2>']],
    },
  ]);
});

it('has a table for each list that is not within another', () => {
  const query = '{ document(id: "1") { shortId files { name } } forms { title } viewer { runAs } }';
  const data = {
    document: { shortId: 'DOC-1', files: [{ name: 'a' }] },
    forms: [{ title: 'Invoice' }],
    viewer: { runAs: null },
  };
  expect(tables(query, data).map(({ name, rows }) => [name, rows])).toEqual([
    ['document files', [['a']]],
    ['forms', [['Invoice']]],
  ]);
});

it('links nothing without a schema, and shows results that do not fit the operation', () => {
  const data = { documents: { nodes: [{ shortId: 'DOC-1', other: [1, [2]] }, null] } };
  const query = '{ documents { nodes { shortId } } }';
  expect(tables(query, data, null)[0]?.rows).toEqual([['DOC-1', '1, 2']]);
  expect(tables('{ a }', data, buildSchema('type Query { a: Int }'))[0]?.rows).toEqual([
    ['DOC-1', '1, 2'],
  ]);
  expect(tables('fragment A on B { c }', data)).toEqual([]);
  for (const empty of [null, undefined, {}, { documents: null }, { documents: { nodes: [] } }]) {
    expect(tables(query, empty)).toEqual([]);
  }
});
