import { describe, expect, it } from 'vitest';
import { startGateway } from '../helpers/gateway.ts';
import { holdReplies } from '../helpers/held-replies.ts';
import { createResolvers } from '../helpers/resolvers.ts';
import { globalId, idOf } from '../helpers/ids.ts';

const numberOf = (path: string) => Number.parseInt(/5f[\da-f]{22}/.exec(path)![0].slice(2), 16);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

const FAILURES = `__typename
  ... on Error { message }
  ... on ValidationError { issues { path message } }
  ... on ConflictError { expectedRevision actualRevision }`;

const respond = `mutation ($responses: [RespondToDocumentInput!]!) {
  respondToDocuments(input: { responses: $responses }) { results { ${FAILURES}
    ... on RespondToDocumentPayload { document { fullId state } } } } }`;
const move = `mutation ($moves: [MoveDocumentInput!]!) {
  moveDocuments(input: { moves: $moves }) { results { ${FAILURES}
    ... on MoveDocumentPayload { document { fullId state } } } } }`;
const moveOnly = `mutation ($moves: [MoveDocumentInput!]!) {
  moveDocuments(input: { moves: $moves }) { results { ${FAILURES} } } }`;

const movesOf = (indexes: readonly number[], action = 'SUSPEND') =>
  indexes.map((i) => ({ document: idOf(i), action }));
const writeOf = (index: number) => `POST /api/v2/docForm/${idOf(index)}/docResponse`;
const readOf = (index: number, query = 'fields=_id,state') =>
  `GET /api/v2/docForm/${idOf(index)}?${query}`;

const anyWrite = /^\/api\/v2\/docForm\/[^/]+\/docResponse/;
const anyDocument = /^\/api\/v2\/docForm\/[^/]+$/;

interface Results {
  results: (Record<string, unknown> | null)[];
}
const resultsOf = (data: unknown): Results['results'] =>
  Object.values(data as Record<string, Results>)[0]!.results;

describe('moveDocuments', () => {
  it('sends each move once in order', async () => {
    const { dms, run } = createResolvers();
    const indexes = [3, 1, 2];
    dms.reply('POST', anyWrite, {});
    dms.reply('GET', anyDocument, ({ path }) => ({ _id: idOf(numberOf(path)), state: 5 }));
    const { data, errors } = await run(move, { moves: movesOf(indexes) });
    expect(errors).toBeUndefined();
    expect(resultsOf(data)).toEqual(
      indexes.map((i) => ({
        __typename: 'MoveDocumentPayload',
        document: { fullId: idOf(i), state: 5 },
      })),
    );
    expect(dms.requests).toEqual([
      ...indexes.map(writeOf),
      ...indexes.map((i) => readOf(i)), // after the last write
    ]);
    const bodies = dms.received.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(bodies).toEqual(indexes.map(() => '{"docResponse":{"taskstatus":101}}'));
  });

  it('checks the revision of each item before its write', async () => {
    const { dms, run } = createResolvers();
    const revisions = new Map([
      [1, 7],
      [2, 7],
    ]);
    dms.reply('POST', anyWrite, ({ path }) => {
      revisions.set(numberOf(path), revisions.get(numberOf(path))! + 1);
      return {};
    });
    dms.reply('GET', anyDocument, ({ path }) => ({
      _id: idOf(numberOf(path)),
      state: revisions.get(numberOf(path)),
      _meta: { _rev: revisions.get(numberOf(path)) },
    }));
    const { data } = await run(move, {
      moves: [
        { document: idOf(1), action: 'SUSPEND', expectedRevision: 7 },
        { document: idOf(2), action: 'SUSPEND', expectedRevision: 6 },
        { document: idOf(1), action: 'RESUME', expectedRevision: 8 },
        { document: idOf(1), action: 'CANCEL', expectedRevision: 8 },
      ],
    });
    expect(resultsOf(data)).toMatchObject([
      { __typename: 'MoveDocumentPayload', document: { state: 9 } },
      { __typename: 'ConflictError', expectedRevision: 6, actualRevision: 7 },
      { __typename: 'MoveDocumentPayload', document: { state: 9 } },
      { __typename: 'ConflictError', expectedRevision: 8, actualRevision: 9 },
    ]);
    const revision = 'fields=_id,_meta';
    expect(dms.requests.filter((line) => line.includes(idOf(1)))).toEqual([
      readOf(1, revision),
      writeOf(1),
      readOf(1, revision),
      writeOf(1),
      readOf(1, revision),
      readOf(1), // one read for both payloads
    ]);
    expect(dms.requests.filter((line) => line.includes(idOf(2)))).toEqual([readOf(2, revision)]);
  });
});

it('respondToDocuments reads the response ID or uses the given one', async () => {
  const { dms, run } = createResolvers();
  const responseOf = (i: number) => idOf(i + 100);
  dms.reply('GET', anyDocument, ({ path }) => ({
    _id: idOf(numberOf(path)),
    state: 2,
    docResponse: { _id: responseOf(numberOf(path)) },
  }));
  dms.reply('PUT', anyWrite, {});
  const { data } = await run(respond, {
    responses: [
      { document: idOf(1), action: 'APPROVE', content: 'fine' },
      { document: idOf(2), action: 'SIGN', response: globalId('DocumentResponse', idOf(9)) },
      { document: idOf(3), action: 'DECLINE', values: [{ tag: 'a', text: 'x' }], tags: ['t'] },
    ],
  });
  expect(resultsOf(data)).toMatchObject([1, 2, 3].map((i) => ({ document: { fullId: idOf(i) } })));
  const embed = 'fields=_id,docResponse&embed=docResponse';
  const put = (i: number, response: string) =>
    `PUT /api/v2/docForm/${idOf(i)}/docResponse/${response}`;
  expect(dms.requests.slice(0, 6).toSorted()).toEqual(
    [
      readOf(1, embed),
      readOf(3, embed),
      put(1, responseOf(1)),
      put(2, idOf(9)),
      put(3, responseOf(3)),
      readOf(1),
    ].toSorted(),
  );
  expect(dms.requests.slice(5)).toEqual([readOf(1), readOf(2), readOf(3)]);
  const bodies = dms.received
    .filter(({ method }) => method === 'PUT')
    .toSorted((a, b) => a.path.localeCompare(b.path))
    .map(({ body }) => JSON.parse(body) as unknown);
  expect(bodies).toEqual([
    { docResponse: { taskstatus: 2, content: 'fine' } },
    { docResponse: { taskstatus: 8 } },
    {
      docForm: { valuesByTags: { a: 'x' }, _tags: ['t'] },
      docResponse: { taskstatus: 4 },
    },
  ]);
});

describe('the input', () => {
  it('is checked completely without a request', async () => {
    const { dms, run } = createResolvers();
    dms.reply('PUT', anyWrite, () => {
      expect(dms.requests).toHaveLength(1);
      return {};
    });
    const { data } = await run(respond.replace('fullId state', 'fullId'), {
      responses: [
        { document: globalId('Person', 'usr-a'), action: 'SIGN' },
        { document: idOf(1), response: idOf(2), action: 'SIGN' },
        {
          document: idOf(3),
          response: 'x',
          action: 'SIGN',
          values: [{ tag: 'a' }, { tag: '', text: 'x' }],
          tags: ['a,b'],
        },
      ],
    });
    expect(resultsOf(data)).toMatchObject([
      {
        __typename: 'ValidationError',
        issues: [{ path: ['responses', '0', 'document'] }],
      },
      { __typename: 'RespondToDocumentPayload', document: { fullId: idOf(1) } },
      {
        __typename: 'ValidationError',
        issues: [
          { path: ['responses', '2', 'response'] },
          { path: ['responses', '2', 'values', '0'] },
          { path: ['responses', '2', 'values', '1', 'tag'] },
          { path: ['responses', '2', 'tags', '0'] },
        ],
      },
    ]);
    expect(dms.requests).toEqual([`PUT /api/v2/docForm/${idOf(1)}/docResponse/${idOf(2)}`]);
  });

  it.each([
    ['respondToDocuments', respond, 'responses', { document: 'D-1', action: 'SIGN' }],
    ['moveDocuments', move, 'moves', { document: 'D-1', action: 'SUSPEND' }],
  ])('of %s has 1 to 100 items', async (_name, text, list, item) => {
    const { dms, run } = createResolvers();
    for (const count of [0, 101]) {
      const { data, errors, codes } = await run(text, {
        [list]: Array.from({ length: count }, () => item),
      });
      expect({ data, codes }).toEqual({ data: null, codes: ['BAD_USER_INPUT'] });
      expect(errors![0]!.message).toBe(
        `\`input.${list}\` must have 1 to 100 entries, not ${count}.`,
      );
    }
    expect(dms.requests).toEqual([]);
  });

  it('is rejected before the write if results are too large', async () => {
    const { query, dms } = await startGateway({ server: { maxListFields: 1000 } });
    dms.reply('POST', anyWrite, {});
    const ask = (count: number) =>
      query(
        `mutation ($moves: [MoveDocumentInput!]!) {
          moveDocuments(input: { moves: $moves }) { ...R } }
        fragment R on MoveDocumentsPayload { results { __typename
          ... on MoveDocumentPayload { document { id } }
          ${range(0, 18)
            .map((i) => `a${i}: __typename`)
            .join(' ')} } }`,
        { moves: movesOf(range(0, count)) },
      );
    const { data, errors } = await ask(46);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(dms.requests).toEqual([]);
    expect((await ask(45)).errors).toBeUndefined();
    expect(dms.requests).toHaveLength(45);
  });
});

describe('items of one document', () => {
  it('are written one after the other', async () => {
    const { dms, run } = createResolvers();
    const { hold, release, most } = holdReplies();
    const inFlight = new Map<number, number>();
    dms.reply('POST', anyWrite, async ({ path }) => {
      const number = numberOf(path);
      inFlight.set(number, (inFlight.get(number) ?? 0) + 1);
      expect(inFlight.get(number)).toBe(1);
      await hold();
      inFlight.set(number, 0);
      return {};
    });
    const actions = ['SUSPEND', 'RESUME', 'CANCEL', 'RESEND'] as const;
    const moves = range(0, 48).map((i) => ({ document: idOf(i % 3), action: actions[i % 4] }));
    const result = run(moveOnly, { moves });
    await release(48, 3);
    expect((await result).errors).toBeUndefined();
    expect(most()).toBe(3);
    for (const document of [0, 1, 2]) {
      const sent = dms.received
        .filter(({ path }) => numberOf(path) === document)
        .map(
          ({ body }) =>
            (JSON.parse(body) as { docResponse: { taskstatus: number } }).docResponse.taskstatus,
        );
      const codes = { SUSPEND: 101, RESUME: 102, CANCEL: 103, RESEND: 104 };
      const asked = moves.filter((one) => one.document === idOf(document));
      expect(sent).toEqual(asked.map(({ action }) => codes[action!]));
    }
  });

  it('keep their order with short and full IDs', async () => {
    const { dms, run } = createResolvers();
    const { hold, release } = holdReplies();
    const events: string[] = [];
    dms.reply('POST', anyWrite, async ({ path }) => {
      const id = path.split('/')[4]!;
      events.push(`+${id}`);
      await hold();
      events.push(`-${id}`);
      return {};
    });
    const ids = ['D-1', 'D-2', idOf(1), idOf(2), 'D-1'];
    const result = run(moveOnly, {
      moves: ids.map((document) => ({ document, action: 'SUSPEND' })),
    });
    await release(5, 2);
    await result;
    expect(events).toEqual([
      '+D-1',
      '+D-2',
      '-D-1',
      '-D-2',
      `+${idOf(1)}`,
      `+${idOf(2)}`,
      `-${idOf(1)}`,
      `-${idOf(2)}`,
      '+D-1',
      '-D-1',
    ]);
  });

  it.each(['abcdef000000000000000001', 'D-1'])('are the same in each case: %s', async (id) => {
    const { dms, run } = createResolvers();
    const { hold, release, most } = holdReplies();
    dms.reply('POST', anyWrite, async () => {
      await hold();
      return {};
    });
    const result = run(moveOnly, {
      moves: [id.toLowerCase(), id.toUpperCase()].map((document) => ({
        document,
        action: 'SUSPEND',
      })),
    });
    await release(2, 1);
    expect((await result).errors).toBeUndefined();
    expect(most()).toBe(1);
  });
});

describe('an item that fails', () => {
  it('is identified among a hundred', async () => {
    const { query, dms } = await startGateway();
    const outcomes: readonly [number, string][] = [
      [200, 'MoveDocumentPayload'],
      [401, 'UNAUTHENTICATED'],
      [403, 'ForbiddenError'],
      [404, 'NotFoundError'],
      [422, 'NothingChangedError'],
      [400, 'ValidationError'],
      [302, 'OUTCOME_UNKNOWN'],
    ];
    for (const [remainder, [status]] of outcomes.entries()) {
      for (const i of range(0, 100).filter((one) => one % outcomes.length === remainder)) {
        dms.reply('POST', new RegExp(`${idOf(i)}/docResponse`), {}, { status });
      }
    }
    const { data, errors } = await query(moveOnly, { moves: movesOf(range(0, 100)) });
    const codes = new Map(errors!.map(({ path, extensions }) => [path?.[2], extensions['code']]));
    for (const { extensions } of errors!) expect(extensions['retryable'] ?? false).toBe(false);
    expect(resultsOf(data).map((result, i) => result?.['__typename'] ?? codes.get(i))).toEqual(
      range(0, 100).map((i) => outcomes[i % outcomes.length]![1]),
    );
    expect(dms.requests.toSorted()).toEqual(range(0, 100).map(writeOf).toSorted());
  });

  it('does not prevent later items of its document', async () => {
    const { dms, run } = createResolvers();
    let count = 0;
    dms.reply('POST', anyWrite, () => {
      count += 1;
      if (count === 1) throw new Error('cut');
      return {};
    });
    const { data, codes } = await run(moveOnly, { moves: movesOf([1, 1]) });
    expect(codes).toEqual(['OUTCOME_UNKNOWN']);
    expect(resultsOf(data)).toMatchObject([null, { __typename: 'MoveDocumentPayload' }]);
  });

  it('does not affect payloads of other items', async () => {
    const { dms, run } = createResolvers();
    let revision = 7;
    dms.reply('GET', anyDocument, () => ({ _id: idOf(1), state: 5, _meta: { _rev: revision } }));
    dms.reply('POST', anyWrite, () => {
      revision += 1;
      if (revision === 9) throw new Error('cut'); // executed without a response
      return {};
    });
    const { data, codes } = await run(move.replace('fullId state', 'state meta { revision }'), {
      moves: [
        { document: idOf(1), action: 'SUSPEND' },
        { document: idOf(1), action: 'RESUME', expectedRevision: 8 },
      ],
    });
    expect(codes).toEqual(['OUTCOME_UNKNOWN']);
    expect(resultsOf(data)).toMatchObject([{ document: { meta: { revision: 9 } } }, null]);
  });

  it('has a result if only the document is unreadable', async () => {
    const { query, dms } = await startGateway();
    dms.reply('POST', anyWrite, {});
    dms.reply('GET', anyDocument, ({ path }) => {
      if (numberOf(path) === 2) throw new Error('cut');
      return { _id: idOf(numberOf(path)), state: 5 };
    });
    const { data, errors } = await query(move, { moves: movesOf([1, 2]) });
    expect(resultsOf(data)).toMatchObject([
      { document: { state: 5 } },
      { __typename: 'MoveDocumentPayload', document: null },
    ]);
    expect(errors).toMatchObject([
      { path: ['moveDocuments', 'results', 1, 'document'], extensions: { retryable: false } },
    ]);
  });

  it('is reported among many errors', async () => {
    const { query, dms } = await startGateway();
    dms.reply('POST', anyWrite, 'secret inside', { status: 401 });
    const { data, errors } = await query(
      `mutation ($moves: [MoveDocumentInput!]!) {
        a: moveDocuments(input: { moves: $moves }) { results { __typename } }
        b: moveDocuments(input: { moves: $moves }) { results { __typename } } }`,
      { moves: movesOf(range(0, 100)) },
    );
    expect(data.a.results).toEqual(range(0, 100).map(() => null));
    expect(errors!.map(({ path }) => path)).toEqual(
      ['a', 'b'].flatMap((name) => range(0, 100).map((i) => [name, 'results', i])),
    );
    expect(new Set(errors!.map(({ extensions }) => extensions['code']))).toEqual(
      new Set(['UNAUTHENTICATED']),
    );
    expect(dms.requests).toHaveLength(200);
  });
});

describe('the budget', () => {
  it('is estimated for writes, reads and payloads', async () => {
    const { query, dms } = await startGateway({ server: { maxUpstreamCalls: 29 } });
    dms.reply('POST', anyWrite, {});
    dms.reply('GET', anyDocument, ({ path }) => ({
      _id: idOf(numberOf(path)),
      state: 5,
      _meta: { _rev: 1 },
    }));
    const moves = movesOf(range(0, 10)).map((one) => ({ ...one, expectedRevision: 1 }));
    const refused = await query(move, { moves });
    expect(refused.errors).toMatchObject([
      {
        message: expect.stringContaining('30'),
        extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' },
      },
    ]);
    expect(dms.requests).toEqual([]);
    // A payload with only the key costs nothing, one document is read once, and a deleted one is not read.
    const passes = [
      query(move.replace('fullId state', 'fullId'), { moves }),
      query(move, { moves: [...moves.slice(1), { ...moves[0], document: idOf(1) }] }),
      query(move, { moves: [...moves.slice(1), { ...moves[0], action: 'DELETE' }] }),
    ];
    for (const { errors } of await Promise.all(passes)) expect(errors).toBeUndefined();
  });

  it('is checked again before the first write', async () => {
    const { query, dms } = await startGateway({
      server: { maxUpstreamCalls: 13 },
      http: { retries: 2 },
    });
    dms.reply('POST', anyWrite, {});
    dms.reply('GET', anyDocument, {}, { status: 503, headers: { 'retry-after': '0' } });
    const { data, errors } = await query(
      `mutation ($moves: [MoveDocumentInput!]!) {
        first: moveDocument(input: { document: "${idOf(99)}", action: SUSPEND, expectedRevision: 1 }) { __typename }
        moveDocuments(input: { moves: $moves }) { results { __typename } } }`,
      { moves: movesOf(range(0, 11)) },
    );
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ path: ['first'] }]);
    expect(dms.requests.filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('is reserved for writes during retries of reads', async () => {
    const { query, dms } = await startGateway({
      server: { maxUpstreamCalls: 21 },
      http: { retries: 2 },
    });
    dms.reply('POST', anyWrite, {});
    let failures = 3;
    dms.reply('GET', anyDocument, ({ path }) => {
      failures -= 1;
      if (failures >= 0) throw new Error('cut');
      return { _id: idOf(numberOf(path)), _meta: { _rev: 1 } };
    });
    const moves = movesOf(range(0, 10)).map((one) => ({ ...one, expectedRevision: 1 }));
    const { data, errors } = await query(moveOnly, { moves });
    const written = resultsOf(data).filter((result) => result !== null);
    // One call is left for a retry. An item whose read could not be retried is not written.
    expect(written).toHaveLength(8);
    expect(errors!.map(({ extensions }) => extensions['code'])).toEqual([
      'UPSTREAM_UNAVAILABLE',
      'UPSTREAM_UNAVAILABLE',
    ]);
    expect(dms.requests.filter((line) => line.startsWith('POST'))).toHaveLength(8);
  });
});
