/**
 * The upstream of all contestants: fast, deterministic, and it counts calls.
 *
 * All contestants depend on it, so it must not be the bottleneck: responses to GET requests are built once and cached
 * as bytes. `POST /control/delay/<ms>` sets the delay of responses, `DELETE /control/counts` returns the calls by route
 * and resets them.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { blocks } from './block.ts';
import { parseDocumentId, parseFileSize, responseId } from './ids.ts';
import { readParts } from './multipart.ts';
import { answerGet, callerOf, json, refuse } from './routes.ts';
import type { Answer } from './routes.ts';

const KEPT_ANSWERS = 20_000;
const FILE_PATH = /^\/api\/v2\/docForm\/([^/]+)\/file\/([^/?]+)$/;
const PUT_PATH = /^\/api\/v2\/docForm\/([^/]+)\/docResponse\/([^/?]+)$/;
const CREATE_PATH = /^\/api\/v2\/docForm\/form\/([^/?]+)/;

let delayMs = Number(process.env['DELAY_MS'] ?? 5);
const counts = new Map<string, number>();
const kept = new Map<string, Answer>();

function send(response: ServerResponse, answer: Answer): void {
  counts.set(answer.route, (counts.get(answer.route) ?? 0) + 1);
  const write = (): void => {
    response.writeHead(answer.status, answer.headers as string[]);
    response.end(answer.body);
  };
  if (delayMs > 0) setTimeout(write, delayMs);
  else write();
}

function onGet(caller: number, request: IncomingMessage, response: ServerResponse): void {
  const target = request.url ?? '/';
  const file = FILE_PATH.exec(target);
  if (file !== null) return sendFile(caller, file, response);
  const key = `${caller} ${target}`;
  let answer = kept.get(key);
  if (answer === undefined) {
    answer = answerGet(caller, target);
    if (kept.size >= KEPT_ANSWERS) kept.clear();
    kept.set(key, answer);
  }
  send(response, answer);
}

/** Writes the file block by block, with back-pressure. */
function sendFile(caller: number, match: RegExpExecArray, response: ServerResponse): void {
  const size = parseFileSize(match[2] ?? '');
  if (size === undefined || parseDocumentId(match[1] ?? '')?.caller !== caller) {
    return send(response, refuse(404));
  }
  counts.set('GET file', (counts.get('GET file') ?? 0) + 1);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': size,
    'content-disposition': "attachment; filename*=UTF-8''bench.bin",
  });
  const source = blocks(size);
  const more = (): void => {
    for (;;) {
      const next = source.next();
      if (next.done === true) return void response.end();
      if (!response.write(next.value)) break;
    }
    response.once('drain', more);
  };
  if (delayMs > 0) setTimeout(more, delayMs);
  else more();
}

async function onPut(
  caller: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const match = PUT_PATH.exec(request.url ?? '');
  const body = JSON.parse((await buffer(request)).toString()) as {
    docResponse?: { taskstatus?: number };
  };
  const key = parseDocumentId(match?.[1] ?? '');
  const known = key?.caller === caller && match?.[2] === responseId(caller, key.index);
  if (!known) return send(response, refuse(404, 'PUT docResponse'));
  send(
    response,
    json('PUT docResponse', {}, [2, 3].includes(body.docResponse?.taskstatus ?? 0) ? 200 : 422),
  );
}

/** Stores nothing. The short ID of the created document contains the size and the CRC of what was received. */
async function onCreate(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts = await readParts(request);
  const file = parts.find((part) => /filename/i.test(part.head));
  const created = {
    _id: '64d0c0000000000000009999',
    _id_web: `UP-${file?.bytes ?? 0}-${file?.crc ?? ''}`,
    _meta: {
      _created: '2026-01-01T00:00:00.000Z',
      _lastmodified: '2026-01-01T00:00:00.000Z',
      _rev: 1,
    },
    author: 'usr-person0001',
    state: 1,
    step: 0,
    iteration: 0,
    status: 1,
    formsystype: 2,
    datecreated: '2026-01-01T00:00:00.000Z',
    datedue: '',
  };
  send(response, json('POST docForm/form', created, 201));
}

function onControl(request: IncomingMessage, response: ServerResponse): void {
  const delay = /^\/control\/delay\/(\d+)$/.exec(request.url ?? '');
  if (delay !== null) delayMs = Number(delay[1]);
  const counted = Object.fromEntries(counts);
  if (request.method === 'DELETE') counts.clear();
  request.resume();
  response.end(JSON.stringify(counted));
}

const server = createServer(
  { keepAliveTimeout: 120_000, requestTimeout: 0 },
  (request, response) => {
    response.sendDate = false;
    const target = request.url ?? '/';
    if (target.startsWith('/control/')) return onControl(request, response);
    const caller = callerOf(request.headers);
    if (caller === undefined) {
      request.resume();
      return send(response, refuse(401));
    }
    const fail = (): void => void response.destroy();
    if (request.method === 'GET') onGet(caller, request, response);
    else if (request.method === 'PUT') onPut(caller, request, response).catch(fail);
    else if (CREATE_PATH.test(target)) onCreate(request, response).catch(fail);
    else {
      request.resume();
      send(response, refuse(404));
    }
  },
);
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
