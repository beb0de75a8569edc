import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a connection to a server, for bytes that no client library sends. It is closed when the test ends. */
export function openConnection(url: string, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {}); // `close` follows
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Returns a function that returns all that has arrived so far. */
export function collectText(socket: Socket): () => string {
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  return () => text;
}

/** A connection whose bytes a test writes itself. */
export interface RawClient {
  readonly socket: Socket;
  /** All that the server has sent. */
  readonly text: () => string;
  readonly isClosed: () => boolean;
}

/** Opens a connection and sends bytes unchanged. */
export async function openRaw({ url }: { readonly url: string }, bytes = ''): Promise<RawClient> {
  const socket = openConnection(url);
  const text = collectText(socket);
  let isClosed = false;
  socket.on('close', () => (isClosed = true));
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(bytes);
  return { socket, text, isClosed: () => isClosed };
}

/** Resolves with all that arrives until the server closes the connection. Rejects if the connection breaks. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** The bytes of a POST request with a query document. */
export function queryBytes(query: string, accept = 'application/json'): string {
  const body = JSON.stringify({ query });
  const head = [
    'POST /graphql HTTP/1.1',
    'host: x',
    'content-type: application/json',
    `accept: ${accept}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
