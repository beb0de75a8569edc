/** The process that sends what `bench:pressure` measures. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Connections that each write their bytes at once, read what comes, and stay open until the process disconnects. */
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
  /** One body of which the end is missing: JSON, or the field `operations` of a multipart body. */
  | { readonly kind: 'incomplete'; readonly bytes: number; readonly isMultipart: boolean };

/** The number of responses by status. */
export type Responses = Readonly<Record<string, number>>;

let next = 1;

function requestOf(path: string, body: string | undefined): string {
  if (body === undefined) return head('GET', path);
  const text = body.replace('{id}', String((next += 1)));
  return head('POST', path, `application/json`, Buffer.byteLength(text)) + text;
}

function head(method: string, path: string, contentType?: string, length?: number): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'authorization: Bearer pressure',
    'accept: application/json, text/event-stream',
    'apollo-require-preflight: 1',
    ...(contentType === undefined
      ? []
      : [`content-type: ${contentType}`, `content-length: ${length}`]),
    '\r\n',
  ].join('\r\n');
}

function bytesOf(requests: Requests): string {
  if (requests.kind === 'pipelined') {
    const { count, path, body } = requests;
    return Array.from({ length: count }, () => requestOf(path, body)).join('');
  }
  const { bytes, isMultipart } = requests;
  const part = isMultipart
    ? '--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n'
    : '';
  const type = isMultipart ? 'multipart/form-data; boundary=b' : 'application/json';
  const length = part.length + bytes + 1;
  return head('POST', '/graphql', type, length) + part + ' '.repeat(bytes);
}

async function press({ port, connections, requests, ms }: Pressure): Promise<Responses> {
  const responses: Record<string, number> = {};
  const expected = connections * (requests.kind === 'pipelined' ? requests.count : 1);
  let arrived = 0;
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  for (let at = 0; at < connections; at += 1) {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      // A status line that two chunks share is not counted. The figures are only an indication.
      for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        responses[status] = (responses[status] ?? 0) + 1;
        arrived += 1;
      }
      if (arrived >= expected) resolve();
    });
    socket.write(bytesOf(requests));
  }
  const timer = setTimeout(resolve, ms);
  await complete;
  clearTimeout(timer);
  return responses;
}

process.on('message', (pressure: Pressure) => {
  void press(pressure).then((responses) => process.send?.(responses));
});
process.on('disconnect', () => process.exit(0));
