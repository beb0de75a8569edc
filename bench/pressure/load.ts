/** The process that sends what `bench:pressure` measures. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Connections that each write their bytes at once, read what comes, and stay open until the end. */
export interface Pressure {
  readonly port: number;
  readonly connections: number;
  readonly requests: Requests;
  /** How long the connections stay open if not all responses arrive. */
  readonly ms: number;
}

type Requests =
  /** The same request again and again. `{id}` in its body becomes a number: one for each request, or the same. */
  | { readonly kind: 'pipelined'; readonly count: number; readonly body: string }
  /** One body of which the last byte is missing. */
  | { readonly kind: 'incomplete'; readonly bytes: number };

/** The number of responses by status. */
export type Responses = Readonly<Record<string, number>>;

let next = 1;

function requestOf(body: string): string {
  const text = body.replace('{id}', String((next += 1)));
  return `${head(Buffer.byteLength(text))}${text}`;
}

function head(length: number): string {
  return [
    'POST /graphql HTTP/1.1',
    'host: localhost',
    'authorization: Bearer pressure',
    'content-type: application/json',
    `content-length: ${length}`,
    '\r\n',
  ].join('\r\n');
}

function bytesOf(requests: Requests): string {
  if (requests.kind === 'incomplete') return head(requests.bytes + 1) + ' '.repeat(requests.bytes);
  return Array.from({ length: requests.count }, () => requestOf(requests.body)).join('');
}

async function press({ port, connections, requests, ms }: Pressure): Promise<Responses> {
  const responses: Record<string, number> = {};
  const expected = requests.kind === 'pipelined' ? connections * requests.count : Infinity;
  let arrived = 0;
  const sockets: Socket[] = [];
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  for (let at = 0; at < connections; at += 1) {
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
    socket.write(bytesOf(requests));
    sockets.push(socket);
  }
  const timer = setTimeout(resolve, ms);
  await complete;
  clearTimeout(timer);
  for (const socket of sockets) socket.destroy();
  return responses;
}

process.on('message', (pressure: Pressure) => {
  void press(pressure).then((responses) => process.send?.(responses));
});
process.on('disconnect', () => process.exit(0));
