/** The process that sends what `bench:pressure` measures. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Connections that each write their bytes, read what comes, and stay open until the process disconnects. */
export interface Pressure {
  readonly port: number;
  readonly connections: number;
  readonly requests: Requests;
  /** How long the connections wait if not all responses arrive. */
  readonly ms: number;
}

type Requests =
  /** The same request again and again. `{id}` in its body becomes a number: one for each request, or the same. */
  | {
      readonly kind: 'pipelined';
      readonly count: number;
      readonly path: string;
      /** Without a body, the method is GET. */
      readonly body?: string;
    }
  | Incomplete
  /** GET requests, each on a connection of its own, one after the other. */
  | { readonly kind: 'reconnecting'; readonly path: string };

/** One request of which the end is missing. */
export interface Incomplete {
  readonly kind: 'incomplete';
  /** Of what follows on `prefix`. */
  readonly bytes: number;
  /** What is incomplete. Default `json`. */
  readonly what?: 'json' | 'operations' | 'file' | 'head';
  /** Default `/graphql`. */
  readonly path?: string;
  /** Further lines of the head. */
  readonly headers?: readonly string[];
  /** Size of the chunks of the body. Default: it is not chunked. */
  readonly chunkBytes?: number;
  /**
   * How it is sent. `slowly`: in 100 parts, one every 100 ms. `again`: the client disconnects after half a second and sends
   * it again. Default: at once.
   */
  readonly pace?: 'slowly' | 'again';
}

/** The number of responses by status. */
export type Responses = Readonly<Record<string, number>>;

const slowParts = 100;
const slowMs = 100;
const againMs = 500;

let next = 1;

function requestOf(path: string, body: string | undefined): string {
  if (body === undefined) return head(`GET ${path}`);
  const text = body.replace('{id}', String((next += 1)));
  return head(`POST ${path}`, ['content-type: application/json', lengthOf(text)]) + text;
}

const lengthOf = (text: string, missing = 0): string =>
  `content-length: ${Buffer.byteLength(text) + missing}`;

function head(target: string, headers: readonly string[] = []): string {
  const lines = [
    `${target} HTTP/1.1`,
    'host: localhost',
    // The last one counts.
    ...(headers.some((line) => line.startsWith('authorization:'))
      ? []
      : ['authorization: Bearer pressure']),
    'accept: application/json, text/event-stream',
    'apollo-require-preflight: 1',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const part = (name: string, text = '', more = ''): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}`;

const operations = JSON.stringify({
  query: 'mutation($i:CreateDocumentInput!){createDocument(input:$i){__typename}}',
  variables: { i: { form: 'a'.repeat(24), files: [null] } },
});
const prefixes = {
  json: '',
  head: '',
  operations: part('operations'),
  file: `${part('operations', operations)}\r\n${part('map', '{"0":["variables.i.files.0"]}')}\r\n${part('0', '', '; filename="a.pdf"')}`,
};

function incompleteRequest(request: Incomplete): string {
  const { bytes, what = 'json', path = '/graphql', headers = [], chunkBytes } = request;
  if (what === 'head') return head('GET /', [`x: ${'a'.repeat(bytes)}`]).slice(0, -4);
  const type = what === 'json' ? 'application/json' : 'multipart/form-data; boundary=b';
  const body = prefixes[what] + ' '.repeat(bytes);
  const framing = chunkBytes === undefined ? lengthOf(body, 1) : 'transfer-encoding: chunked';
  const start = head(`POST ${path}`, [`content-type: ${type}`, framing, ...headers]);
  if (chunkBytes === undefined) return start + body;
  const pattern = new RegExp(`[^]{1,${chunkBytes}}`, 'g');
  return (
    start + body.replaceAll(pattern, (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  );
}

/** Writes the requests of one connection, and those of the next ones if it opens others. */
function send(open: () => Socket, requests: Requests): void {
  const socket = open();
  if (requests.kind === 'reconnecting') {
    socket.once('close', () => send(open, requests));
    socket.once('data', () => socket.destroy());
    socket.write(requestOf(requests.path, undefined));
  } else if (requests.kind === 'pipelined') {
    const { count, path, body } = requests;
    socket.write(Array.from({ length: count }, () => requestOf(path, body)).join(''));
  } else {
    const text = incompleteRequest(requests);
    if (requests.pace === 'slowly') sendSlowly(socket, text);
    else socket.write(text);
    if (requests.pace !== 'again') return;
    socket.once('close', () => send(open, requests));
    setTimeout(() => socket.destroy(), againMs);
  }
}

function sendSlowly(socket: Socket, text: string): void {
  const length = Math.ceil(text.length / slowParts);
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text.slice(at, at + length));
    at += length;
    if (at >= text.length) clearInterval(timer);
  }, slowMs);
  socket.once('close', () => clearInterval(timer));
}

async function press({ port, connections, requests, ms }: Pressure): Promise<Responses> {
  const responses: Record<string, number> = {};
  const isEndless =
    requests.kind === 'reconnecting' ||
    (requests.kind === 'incomplete' && requests.pace === 'again');
  const expected = isEndless
    ? Infinity
    : connections * (requests.kind === 'pipelined' ? requests.count : 1);
  let arrived = 0;
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      // A status line that two chunks share is not counted. The figures are only an indication.
      for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        responses[status] = (responses[status] ?? 0) + 1;
        arrived += 1;
      }
      if (arrived >= expected) resolve();
    });
    return socket;
  };
  for (let at = 0; at < connections; at += 1) send(open, requests);
  const timer = setTimeout(resolve, ms);
  await complete;
  clearTimeout(timer);
  return responses;
}

process.on('message', (pressure: Pressure) => {
  void press(pressure).then((responses) => process.send?.(responses));
});
process.on('disconnect', () => process.exit(0));
