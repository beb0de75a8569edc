import { request as httpRequest, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  misbehave,
  startFailingDms,
  wholeBody,
  type Behaviour,
  type FailingDms,
} from '../helpers/failing-dms.ts';
import { startGatewayBefore, type TestGatewayOptions } from '../helpers/gateway.ts';
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
});
