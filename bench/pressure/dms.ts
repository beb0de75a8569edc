/**
 * The upstream of `bench:pressure`: documents, persons and units by any ID, with an adjustable delay and size.
 *
 * `POST /control/<delay in ms>/<bytes of a document>/<length of lists>` sets them.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

const FILES_PER_DOCUMENT = 4;
const FIRST_ID = 10_000;

let delayMs = 0;
let large: Buffer | null = null;
/** IDs of 9 characters, such as `DOC-10000`. */
let ids: readonly string[] = [];

/** A document with a table of about that many bytes, which is 20 bytes for each cell. */
function largeDocument(bytes: number): Buffer {
  const row = ['a cell of a table', 'a cell of a table', 'a cell of a table', 'a cell of a table'];
  const rows = Array.from({ length: Math.floor(bytes / JSON.stringify([row]).length) }, () => row);
  return Buffer.from(
    JSON.stringify({ ...document(0), valuesByTags: { items: [['a', 'b', 'c', 'd'], ...rows] } }),
  );
}

function document(index: number): object {
  return {
    _id: `64d0c000${index.toString(16).padStart(16, '0')}`,
    _id_web: `DOC-${index}`,
    ...(ids.length > 0 && { valuesByTags: { many: ids.join(',') } }),
    filesList: Array.from({ length: FILES_PER_DOCUMENT }, (_, at) => ({
      id: `64f11e00${at.toString(16).padStart(16, '0')}`,
      fileName: `scan-${at}.pdf`,
    })),
  };
}

function answer(url: URL): unknown {
  const [kind, id] = url.pathname.replace('/api/v2/', '').split('/');
  if (kind === 'orgUnit') return { _id_sys: id, name: 'All', elmembers: ids };
  if (kind === 'person') return { _id_sys: id, email: `${id}@example.com` };
  if (kind !== 'docForm') return [];
  if (id !== 'view') return document(Number(id?.replace('DOC-', '')));
  const first = Number(url.searchParams.get('first') ?? 0);
  const size = Number(url.searchParams.get('pageSize') ?? 10);
  return Array.from({ length: size }, (_, at) => document(first + at));
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://dms');
  const [, delay, bytes, items] = /^\/control\/(\d+)\/(\d+)\/(\d+)$/.exec(url.pathname) ?? [];
  if (delay !== undefined) {
    delayMs = Number(delay);
    ids = Array.from({ length: Number(items) }, (_, at) => `DOC-${FIRST_ID + at}`);
    large = Number(bytes) > 0 ? largeDocument(Number(bytes)) : null;
    response.end();
    return;
  }
  const isDocument = url.pathname.startsWith('/api/v2/docForm/DOC-');
  const body = (isDocument && large) || JSON.stringify(answer(url));
  setTimeout(() => {
    response.setHeader('content-type', 'application/json;charset=UTF-8');
    response.setHeader('svc-total-count', '500');
    response.end(body);
  }, delayMs);
}

createServer(handle).listen(Number(process.env['PORT']), '127.0.0.1', () =>
  process.send?.('ready'),
);
process.on('disconnect', () => process.exit(0));
