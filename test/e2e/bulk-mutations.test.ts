import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  misbehave,
  startFailingDms,
  wholeBody,
  type Behaviour,
  type FailingDms,
} from '../helpers/failing-dms.ts';
import {
  startGatewayBefore,
  startGatewayOnSandbox,
  type TestGatewayOptions,
} from '../helpers/gateway.ts';
import { fakeTimers, whileTimePasses } from '../helpers/fake-timers.ts';
import { idOf } from '../helpers/ids.ts';

const numberOf = (url: string) => Number.parseInt(/5f[\da-f]{22}/.exec(url)![0].slice(2), 16);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const movesOf = (indexes: readonly number[]) =>
  indexes.map((i) => ({ document: idOf(i), action: 'SUSPEND' }));
const move = `mutation ($moves: [MoveDocumentInput!]!) {
  moveDocuments(input: { moves: $moves }) { results { __typename ... on Error { message } } } }`;

async function startFailing(behave: Behaviour, options: TestGatewayOptions = {}) {
  const dms = await startFailingDms(behave);
  onTestFinished(() => dms[Symbol.asyncDispose]());
  const gateway = await startGatewayBefore(dms.url, options);
  await gateway.query('{ __typename }'); // the first operation loads the executor
  return { ...gateway, dms };
}

const numbersSent = ({ requests }: FailingDms) => requests.map(numberOf);

/** Sends an operation over a connection that the test can close. */
function send(url: string, variables: object) {
  const req = httpRequest(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  });
  req.on('error', () => {});
  req.end(JSON.stringify({ query: move, variables }));
  return req;
}

describe('a bulk mutation with a failing DMS', () => {
  it('reports the outcome of each item', async () => {
    const behaviours: readonly Behaviour[] = [
      (_request, response) => response.end('{}'),
      misbehave.silence,
      (request) => {
        // executed without a response
        wholeBody(request).then(
          () => request.socket.resetAndDestroy(),
          () => {},
        );
      },
      (_request, response) => response.writeHead(500).end('secret inside'),
      (_request, response) => response.writeHead(422).end(),
      (_request, response) => response.writeHead(400, { 'x-error': 'not in this phase' }).end(),
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in</html>'),
      misbehave.garbage,
      (_request, response) => response.writeHead(404).end(),
      (_request, response) => response.end('{}'),
    ];
    fakeTimers('performance', 'setTimeout');
    const { query, dms } = await startFailing(
      (request, response, nth) => behaviours[numberOf(request.url!)]!(request, response, nth),
      { http: { timeoutMs: 1000, retries: 2 } },
    );
    const result = query(move, { moves: movesOf(range(0, 10)) });
    await expect.poll(() => dms.requests).toHaveLength(10);
    const { data, errors } = await whileTimePasses(result);
    const done = { __typename: 'MoveDocumentPayload' };
    expect(data.moveDocuments.results).toMatchObject([
      done,
      null,
      null,
      null,
      { __typename: 'NothingChangedError' },
      { __typename: 'ValidationError', message: 'not in this phase' },
      null,
      null,
      { __typename: 'NotFoundError' },
      done,
    ]);
    expect(errors!.map(({ path, extensions: { code } }) => [path?.[2], code])).toEqual([
      [1, 'OUTCOME_UNKNOWN'],
      [2, 'OUTCOME_UNKNOWN'],
      [3, 'UPSTREAM_ERROR'],
      [6, 'OUTCOME_UNKNOWN'],
      [7, 'OUTCOME_UNKNOWN'],
    ]);
    expect(numbersSent(dms).toSorted((a, b) => a - b)).toEqual(range(0, 10)); // each once
  });

  it('stops sending at its deadline', async () => {
    fakeTimers('performance', 'setTimeout');
    const { query, dms } = await startFailing(misbehave.silence, {
      server: { requestTimeoutMs: 1000, concurrency: 4 },
    });
    const result = query(move, { moves: movesOf(range(0, 100)) });
    await expect.poll(() => dms.requests).toHaveLength(4);
    const { data, errors } = await whileTimePasses(result);
    expect(data.moveDocuments.results).toEqual(range(0, 100).map(() => null));
    const codes = errors!.map(({ extensions }) => extensions['code']);
    const sent = numbersSent(dms);
    expect(sent.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect(codes).toEqual([
      ...sent.map(() => 'OUTCOME_UNKNOWN'),
      ...range(4, 100).map(() => 'UPSTREAM_TIMEOUT'),
    ]);
  });

  it('stops sending if its client disconnects', async () => {
    const held: ServerResponse[] = [];
    const { url, dms, log } = await startFailing((_request, response) => held.push(response), {
      server: { concurrency: 4 },
    });
    const req = send(url, { moves: movesOf([...range(0, 50), ...range(0, 50)]) });
    await expect.poll(() => held.length).toBe(4);
    held.shift()!.end('{}');
    await expect.poll(() => dms.requests.length).toBe(5);
    req.destroy();
    await expect.poll(() => log.find(({ outcome }) => outcome === 'CANCELLED')).toBeDefined();
    expect(held.filter((response) => response.destroyed)).toEqual([]); // no write was aborted
    for (const response of held) response.end('{}');
    // The next request is sent after everything that the first one could still send.
    const next = send(url, { moves: movesOf([77]) });
    await expect.poll(() => numbersSent(dms).includes(77)).toBe(true);
    expect(numbersSent(dms)).toEqual([0, 1, 2, 3, 0, 77]);
    held.at(-1)!.end('{}');
    next.destroy();
  });

  it('writes no items with pending reads', async () => {
    const held: ServerResponse[] = [];
    const { url, dms, log } = await startFailing((_request, response) => held.push(response), {
      server: { concurrency: 4 },
    });
    const moves = movesOf(range(0, 50)).map((one) => ({ ...one, expectedRevision: 1 }));
    const req = send(url, { moves });
    await expect.poll(() => held.length).toBe(4);
    req.destroy();
    await expect.poll(() => log.find(({ outcome }) => outcome === 'CANCELLED')).toBeDefined();
    await expect.poll(() => held.filter((response) => !response.destroyed)).toEqual([]);
    const next = send(url, { moves: movesOf([77]) });
    await expect.poll(() => numbersSent(dms).includes(77)).toBe(true);
    expect(dms.requests.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    expect(numbersSent(dms)).toEqual([0, 1, 2, 3, 77]);
    held.at(-1)!.end('{}');
    next.destroy();
  });

  it('leaves connections to another user', async () => {
    const held: ServerResponse[] = [];
    const { query, dms } = await startFailing(
      (request, response) => {
        if (request.method === 'GET') response.end('{"_id_sys":"usr-b","email":"b"}');
        else held.push(response);
      },
      {
        server: { identity: { mode: 'passthrough' }, credential: null, concurrency: 100 },
        http: { connections: 8 },
      },
    );
    const bulk = query(move, { moves: movesOf(range(0, 100)) }, { authorization: 'Bearer a' });
    await expect.poll(() => held.length).toBe(7);
    const { data } = await query(
      '{ person(id: "usr-b") { email } }',
      {},
      { authorization: 'Bearer b' },
    );
    expect(data).toEqual({ person: { email: 'b' } });
    const answer = setInterval(() => held.shift()?.end('{}'), 1);
    onTestFinished(() => clearInterval(answer));
    const { errors } = await bulk;
    expect(errors).toBeUndefined();
    expect(dms.requests.filter((line) => line.startsWith('POST'))).toHaveLength(100);
  });

  it('writes a hundred items of one document in order', async () => {
    let inFlight = 0;
    const texts: number[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      inFlight += 1;
      expect(inFlight).toBe(1);
      const body = await wholeBody(request);
      inFlight -= 1;
      texts.push(Number(/"content":"(\d+)/.exec(body)![1]));
      response.end('{}');
    };
    const { query } = await startFailing((request, response) => void answer(request, response));
    const { data, errors } = await query(
      `mutation ($responses: [RespondToDocumentInput!]!) {
        respondToDocuments(input: { responses: $responses }) { results { __typename } } }`,
      {
        responses: range(0, 100).map((i) => ({
          document: idOf(1),
          response: idOf(2),
          action: 'APPROVE',
          content: `${i} ${'x'.repeat(9000)}`,
        })),
      },
    );
    expect(errors).toBeUndefined();
    expect(texts).toEqual(range(0, 100));
    expect(data.respondToDocuments.results).toHaveLength(100);
  });
});

describe('a bulk mutation with the sandbox', () => {
  it('responds to and moves documents', async () => {
    const { query, requests } = await startGatewayOnSandbox();
    const inbox = await query(
      '{ documents(view: INBOX, first: 100, filter: { state: 10 }) { nodes { fullId shortId state meta { revision } } } }',
    );
    const documents = (
      inbox.data.documents.nodes as {
        fullId: string;
        shortId: string;
        meta: { revision: number };
      }[]
    ).slice(0, 3);
    expect(documents).toHaveLength(3);
    requests.length = 0;
    const { data, errors } = await query(
      `mutation ($responses: [RespondToDocumentInput!]!) {
        respondToDocuments(input: { responses: $responses }) { results { __typename
          ... on RespondToDocumentPayload { document { fullId meta { revision } } }
          ... on ConflictError { actualRevision }
          ... on Error { message } } } }`,
      {
        responses: [
          ...documents.map(({ fullId, meta }) => ({
            document: fullId,
            action: 'APPROVE',
            expectedRevision: meta.revision,
          })),
          { document: documents[0]!.fullId, action: 'APPROVE', expectedRevision: 0 },
          { document: 'ffffffffffffffffffffffff', action: 'APPROVE' },
        ],
      },
    );
    expect(errors).toBeUndefined();
    const { results } = data.respondToDocuments;
    for (const [i, { fullId, meta }] of documents.entries()) {
      expect(results[i]).toMatchObject({
        __typename: 'RespondToDocumentPayload',
        document: { fullId },
      });
      expect(results[i].document.meta.revision).toBeGreaterThan(meta.revision);
    }
    expect(results[3]).toEqual(
      expect.objectContaining({
        __typename: 'ConflictError',
        actualRevision: results[0].document.meta.revision,
      }),
    );
    expect(results[4]).toMatchObject({ __typename: 'NotFoundError' });
    expect(requests.filter((line) => line.startsWith('PUT'))).toHaveLength(3);
  });

  it('has the effect of single mutations', async () => {
    const [one, many] = [await startGatewayOnSandbox(), await startGatewayOnSandbox()];
    const moves = [
      ...['SUSPEND', 'RESUME', 'SUSPEND', 'CANCEL', 'CANCEL'].map((action) => ({
        document: 'DOC-0198',
        action,
      })),
      ...['DELETE', 'RESUME'].map((action) => ({ document: 'DOC-0197', action })),
    ];
    const selection = `__typename ... on MoveDocumentPayload { document { state status meta { revision } } }
      ... on Error { message }`;
    const single = [];
    for (const input of moves) {
      const { data } = await one.query(
        `mutation ($input: MoveDocumentInput!) { moveDocument(input: $input) { ${selection} } }`,
        { input },
      );
      single.push(data.moveDocument);
    }
    const { data } = await many.query(
      `mutation ($moves: [MoveDocumentInput!]!) { moveDocuments(input: { moves: $moves }) { results { ${selection} } } }`,
      { moves },
    );
    const names = (results: { __typename: string }[]) =>
      results.map(({ __typename }) => __typename);
    expect(names(data.moveDocuments.results)).toEqual(names(single));
    const writesOf = ({ requests }: typeof one): string[] =>
      requests.filter((line) => line.startsWith('POST')).toSorted();
    expect(writesOf(many)).toEqual(writesOf(one));
    const read = async ({ query }: typeof one): Promise<unknown> => {
      const after = await query(
        `{ changed: document(id: "DOC-0198") { state status step meta { revision } }
           deleted: document(id: "DOC-0197") { state } }`,
      );
      return after.data;
    };
    const after = await read(one);
    expect(after).toMatchObject({ changed: { state: 70 }, deleted: null });
    expect(await read(many)).toEqual(after);
  });
});
