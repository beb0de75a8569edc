import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import { createTunnel } from './proxy-tunnel.ts';
import { isClientCertificateAlert } from './tls.ts';
import { buildConnector, Pool } from './undici.ts';

export interface PoolOptions {
  readonly connections: number;
  readonly connectTimeout: number;
  readonly keepAlive?: boolean;
  readonly maxAgeMs?: number;
  readonly tls?: TlsSource | undefined;
  readonly proxy?: string | null | undefined;
}

export interface TlsSource {
  /** The name that the certificate of the service must have. Null: the host of its URL. */
  readonly serverName: string | null;
  /** Undefined: that of Node. Another object after each change. */
  readonly context: SecureContext | undefined;
  readonly hasClientCertificate: boolean;
  failed(error: Error): void;
  succeeded(): void;
}

type Connect = Undici.buildConnector.connector;

export function createPool(
  origin: string,
  { connections, connectTimeout, keepAlive = true, maxAgeMs = 0, tls, proxy }: PoolOptions,
): Dispatcher {
  const options = { allowH2: false, timeout: connectTimeout };
  const build = proxy == null ? buildConnector : buildThrough(proxy, connections, connectTimeout);
  const connect = tls === undefined ? build(options) : connectWith(tls, build, options);
  return new Pool(origin, {
    connections,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        socket.on('error', (failure) => {
          // The socket has not ended yet. When it does, undici would forget this reason.
          if (isClientCertificateAlert(failure)) socket.destroy();
        });
        callback(null, withoutContinue(socket));
      }),
    // With one request at a time and without HTTP/2, undici never sends a request twice.
    pipelining: keepAlive ? 1 : 0,
    allowH2: false,
    clientTtl: maxAgeMs,
    // The gateway has its own timers; those of undici are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Half of the time is for the proxy, so that the error of a request names it before the request itself ends. */
function buildThrough(
  proxy: string,
  connections: number,
  connectTimeout: number,
): typeof buildConnector {
  const through = createTunnel(proxy, { connections, timeoutMs: Math.ceil(connectTimeout / 2) });
  return (options) => through(buildConnector(options));
}

function connectWith(
  tls: TlsSource,
  build: typeof buildConnector,
  options: Undici.buildConnector.BuildOptions,
): Connect {
  let used: { readonly context: SecureContext | undefined; readonly connect: Connect } | null =
    null;
  return (target, callback) => {
    const { context, serverName } = tls;
    if (used === null || used.context !== context) {
      const connect = build({
        ...options,
        ...(context !== undefined && { secureContext: context }),
        ...(serverName !== null && { servername: serverName }),
      });
      used = { context, connect };
    }
    used.connect(target, (...[error, socket]) => {
      if (error !== null) {
        tls.failed(error);
        callback(error, null);
        return;
      }
      // With TLS 1.3, a client certificate is rejected after the handshake of the client.
      socket.on('error', (failure) => tls.failed(failure)).once('session', () => tls.succeeded());
      callback(null, socket);
    });
  };
}

/**
 * Makes a socket show each `100 Continue` as `102 Processing`. undici closes the connection when a server sends the
 * former unasked (https://github.com/nodejs/undici/issues/197), although a client must accept any interim response (RFC
 * 9110, section 15.2); it skips all others but 101.
 */
function withoutContinue<T extends Socket>(socket: T): T {
  const { read, write } = socket;
  let heads: InterimHeads | null = null;
  socket.write = function writeRequest(this: T, ...args: never): boolean {
    heads ??= new InterimHeads(); // a request precedes its response
    return write.apply(this, args);
  };
  socket.read = function readResponse(this: T, size?: number): unknown {
    const chunk: unknown = read.call(this, size);
    if (heads !== null && Buffer.isBuffer(chunk) && heads.change(chunk)) heads = null;
    return chunk;
  };
  return socket;
}

const statusLine = Buffer.from('HTTP/1.1 100');
const [minorAt, classAt, lastAt] = [7, 9, 11];
const [lineFeed, carriageReturn, two] = [0x0a, 0x0d, 0x32];

class InterimHeads {
  #at = 0;
  #isContinue = true;
  #lineEnds = 0;

  change(chunk: Buffer): boolean {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]!;
      if (this.#at > lastAt) {
        if (byte === lineFeed) this.#lineEnds += 1;
        else if (byte !== carriageReturn) this.#lineEnds = 0;
        if (this.#lineEnds < 2) continue;
        [this.#at, this.#isContinue, this.#lineEnds] = [0, true, 0];
        continue;
      }
      if (byte !== statusLine[this.#at] && this.#at !== minorAt) {
        if (this.#at <= classAt) return true;
        this.#isContinue = false;
      }
      if (this.#at === lastAt && this.#isContinue) chunk[index] = two;
      this.#at += 1;
    }
    return false;
  }
}
