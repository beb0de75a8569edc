/**
 * Places an upstream far away: a reverse proxy beside the upstream, which compresses responses if the request accepts
 * that, and a slow link to it. Prints its URL and, as a reply to `DELETE /control/bytes`, the bytes that the link has
 * carried since the last one.
 *
 *     node compression/far.ts <URL of the upstream> <gzip | zstd | br> <round trip in ms> <Mbit/s>
 */
import { createServer, request, Agent } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer as createLink } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { brotliCompress, constants, gzip, zstdCompress, type InputType } from 'node:zlib';
import { promisify } from 'node:util';

const [upstream = '', coding = 'gzip', roundTripMs = '20', mbits = '10'] = process.argv.slice(2);
const bytesPerMs = (Number(mbits) * 1e6) / 8 / 1000;
/** What one connection sends before another has its turn, in bytes. */
const turn = 8 * 1024;
/** As nginx does by default. */
const minBytes = 20;

/** The levels that proxies use by default for responses that they cannot keep. */
const compressors: Readonly<Record<string, (body: InputType) => Promise<Buffer>>> = {
  gzip: (body) => promisify<InputType, object, Buffer>(gzip)(body, { level: 1 }),
  zstd: (body) => promisify<InputType, Buffer>(zstdCompress)(body),
  br: (body) =>
    promisify<InputType, object, Buffer>(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    }),
};

const agent = new Agent({ keepAlive: true });
let carried = 0;

function forward(given: IncomingMessage, response: ServerResponse): void {
  if (given.url === '/control/bytes') {
    response.end(String(carried));
    carried = 0;
    return;
  }
  const { method = 'GET', headers } = given;
  const sent = request(upstream + given.url, { method, headers, agent }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => void respond(given, response, answer, Buffer.concat(chunks)));
  });
  given.pipe(sent);
}

async function respond(
  { headers }: IncomingMessage,
  response: ServerResponse,
  answer: IncomingMessage,
  body: Buffer,
): Promise<void> {
  const { 'content-length': _, ...kept } = answer.headers;
  const isCoded = headers['accept-encoding']?.includes(coding) && body.length >= minBytes;
  const sent = isCoded ? await compressors[coding]!(body) : body;
  response.writeHead(answer.statusCode ?? 502, {
    ...kept,
    ...(isCoded && { 'content-encoding': coding }),
    'content-length': sent.length,
  });
  response.end(sent);
}

/** One direction of the link, which all connections share. */
class Direction {
  #freeAt = 0;

  /** Copies what one socket receives to another: in turns, as fast as the link, and later by half a round trip. */
  copy(from: Socket, to: Socket): void {
    const waiting: { readonly bytes: Buffer; readonly at: number }[] = [];
    const deliver = (): void => {
      const now = performance.now();
      while (waiting.length > 0 && waiting[0]!.at <= now) to.write(waiting.shift()!.bytes);
      if (waiting.length > 0) setTimeout(deliver, waiting[0]!.at - now);
      else if (from.readableEnded) to.end();
    };
    from.on('data', (chunk: Buffer) => {
      carried += chunk.length;
      for (let at = 0; at < chunk.length; at += turn) {
        const bytes = chunk.subarray(at, at + turn);
        this.#freeAt = Math.max(this.#freeAt, performance.now()) + bytes.length / bytesPerMs;
        waiting.push({ bytes, at: this.#freeAt + Number(roundTripMs) / 2 });
        if (waiting.length === 1) deliver();
      }
    });
    from.on('end', () => {
      if (waiting.length === 0) to.end();
    });
    from.on('error', () => to.destroy());
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const proxyPort = await listen(createServer({ keepAliveTimeout: 60_000 }, forward));
const [there, back] = [new Direction(), new Direction()];
const link = createLink((socket) => {
  const far = connect(proxyPort, '127.0.0.1');
  there.copy(socket.setNoDelay(), far.setNoDelay());
  back.copy(far, socket);
});
process.stdout.write(`http://127.0.0.1:${await listen(link)} http://127.0.0.1:${proxyPort}\n`);
