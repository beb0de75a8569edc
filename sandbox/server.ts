import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { authenticate } from './auth.ts';
import type { SandboxResponse } from './http/response.ts';
import { headerText, json, send } from './http/response.ts';
import { createRouter } from './http/router.ts';
import { Problem } from './problem.ts';
import { routesOf } from './routes.ts';
import type { Service } from './service.ts';

/** How long `close` waits for running requests before it aborts them. */
const graceMs = 500;

export interface HttpServer {
  listen(port: number, host: string): Promise<number>;
  /** Rejects new requests, waits half a second for running ones, then aborts them. Resolves when all have ended. */
  close(): Promise<void>;
}

export function createHttpServer(
  service: Service,
  onRequest: (line: string) => void = () => {},
): HttpServer {
  const route = createRouter(routesOf(service));
  const running = new Set<Promise<void>>();
  const server: Server = createServer((request, response) => {
    const work = serve(request, response).finally(() => running.delete(work));
    running.add(work);
  });
  // There is no limit for slow uploads. A connection that never sends its headers still ends after a minute.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 30_000;

  async function answer(request: IncomingMessage, signal: AbortSignal): Promise<SandboxResponse> {
    const line = request.url ?? '/';
    onRequest(`${request.method} ${line}`);
    const [path = '/', search = ''] = splitOnce(line, '?');
    const caller = await authenticate(service.db, request, path);
    const { handle, params } = route(request.method ?? 'GET', path);
    return handle({ request, params, query: new URLSearchParams(search), caller, signal });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController();
    response.on('close', () => disconnected.abort());
    request.on('error', () => {}); // the signal reports an aborted body
    try {
      await send(request, response, await answer(request, disconnected.signal));
    } catch (error) {
      await fail(request, response, error);
    }
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(cut);
      await Promise.allSettled(running);
    },
  };
}

/** Sends the error of a handler. An error that is not a {@link Problem} is a bug and is logged. */
async function fail(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): Promise<void> {
  const problem = error instanceof Problem ? error : new Problem(500, 'Internal server error.');
  // A response that stops because the client has disconnected is not an error.
  if (!(error instanceof Problem) && !response.destroyed) {
    process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  }
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const headers = { 'X-Error': headerText(problem.message), ...problem.headers };
  await send(request, response, json({ error: problem.message }, problem.status, headers)).catch(
    () => response.destroy(),
  );
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
