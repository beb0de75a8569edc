import { TOTAL_IN_VIEW } from '../upstream/data.ts';
import { CALLERS, RANGES, documentId, listValueId, responseId } from '../upstream/ids.ts';
import {
  expectedAfterAction,
  expectedInbox,
  expectedLevels,
  expectedReferences,
  expectedScalars,
  expectedStatus,
} from './expected.ts';
import { QUERIES, levelsQuery } from './queries.ts';

/** A request that is sent repeatedly, and its expected `data`. */
export interface Variant {
  readonly caller: number;
  readonly body: string;
  readonly expected: unknown;
}

export interface Workload {
  readonly name: string;
  readonly title: string;
  /** Minimum number of upstream calls without a cache. */
  readonly idealCalls: number;
  /** Variants of different callers in turn. */
  readonly variants: readonly Variant[];
}

/** Number of documents per caller, for workloads that read one document at a time. */
const DOCUMENTS = 8;

function variants(
  perCaller: number,
  make: (caller: number, n: number) => { query: string; variables: object; expected: unknown },
): Variant[] {
  return Array.from({ length: CALLERS * perCaller }, (_, at) => {
    const caller = at % CALLERS;
    const { query, variables, expected } = make(caller, Math.floor(at / CALLERS));
    const operationName = /(?:query|mutation) (\w+)/.exec(query)?.[1];
    return { caller, body: JSON.stringify({ operationName, query, variables }), expected };
  });
}

function inbox(name: string, title: string, view: 'inbox' | 'repository', first: number): Workload {
  const authors = view === 'inbox' ? first : 4;
  return {
    name,
    title,
    idealCalls: 1 + authors,
    variants: variants(1, (caller) => ({
      query: QUERIES.W2,
      variables: { view: view.toUpperCase(), first },
      expected: { documents: expectedInbox(caller, view, first, TOTAL_IN_VIEW) },
    })),
  };
}

const W1: Workload = {
  name: 'W1',
  title: 'one document, 8 scalars',
  idealCalls: 1,
  variants: variants(DOCUMENTS, (caller, n) => ({
    query: QUERIES.W1,
    variables: { id: documentId(caller, RANGES.single + n) },
    expected: { document: expectedScalars(caller, RANGES.single + n) },
  })),
};

const W3: Workload = {
  name: 'W3',
  title: 'document, 5 referencing documents, each with recoData, files, author, response',
  idealCalls: 11,
  variants: variants(DOCUMENTS, (caller, n) => ({
    query: QUERIES.W3,
    variables: { id: documentId(caller, RANGES.referenced + n * 10) },
    expected: { document: expectedReferences(caller, RANGES.referenced + n * 10) },
  })),
};

const W5: Workload = {
  name: 'W5',
  title: 'workflow action, then the document',
  idealCalls: 2,
  variants: variants(DOCUMENTS, (caller, n) => {
    const index = RANGES.single + n;
    return {
      query: QUERIES.W5,
      variables: { document: documentId(caller, index), response: responseId(caller, index) },
      expected: { respondToDocument: { document: expectedAfterAction(caller, index) } },
    };
  }),
};

const W5s: Workload = {
  name: 'W5s',
  title: 'workflow action with content and two values, then five scalars',
  idealCalls: 2,
  variants: variants(DOCUMENTS, (caller, n) => {
    const index = RANGES.single + n;
    return {
      query: QUERIES.W5s,
      variables: {
        document: documentId(caller, index),
        response: responseId(caller, index),
        content: 'Seen and agreed',
        values: [
          { tag: 'total', text: '1200.50' },
          { tag: 'currency', text: 'EUR' },
        ],
      },
      expected: { respondToDocument: { document: expectedStatus(caller, index) } },
    };
  }),
};

export const WORKLOADS: readonly Workload[] = [
  W1,
  inbox('W2', 'inbox of 20: values, files, author, 20 authors', 'inbox', 20),
  inbox('W2s', 'the same, 4 authors', 'repository', 20),
  W3,
  inbox('W4', 'as W2 with 100 documents', 'inbox', 100),
  W5,
  W5s,
];

/** The inbox with increasing page sizes. */
export const DOCUMENT_SERIES: readonly Workload[] = [20, 50, 100].map((first) =>
  inbox(`inbox of ${first}`, `inbox of ${first}`, 'inbox', first),
);

/** A list value with increasing depth. */
export const LEVEL_SERIES: readonly Workload[] = [1, 2, 4, 8, 11].map((levels) => ({
  name: `${levels} levels`,
  title: `${levels} levels`,
  idealCalls: levels,
  variants: variants(1, (caller) => ({
    query: levelsQuery(levels),
    variables: { id: listValueId(levels - 1) },
    expected: { listValue: expectedLevels(caller, levels) },
  })),
}));

export const ALL_WORKLOADS: readonly Workload[] = [
  ...WORKLOADS,
  ...DOCUMENT_SERIES,
  ...LEVEL_SERIES,
];
