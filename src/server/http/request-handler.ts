import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '../../config/read-config.ts';
import { toClientError } from '../errors/client-error.ts';
import { bodyTimeout, lateResult, shuttingDown, unknownPath } from '../errors/http-error.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { readMethods, type FindEndpoint } from './endpoint-table.ts';
import { HttpExchange, RequestLimits, type ExchangeHost } from './http-exchange.ts';
import { hasBody } from './request-body.ts';
import { createRequestCheck, toOriginForm, type RequestCheckOptions } from './request-checks.ts';
import type { RequestObserver } from './request-observer.ts';
import { sendError } from './respond.ts';

/** A body of this size is always read to its end, so that its client gets the response, in bytes. */
const minDiscardedBytes = 64 * 2 ** 20;
/**
 * How long a result can come after the deadline of its request, in milliseconds. The fields of an operation end at the
 * deadline, with errors at their paths.
 */
const graceMs = 1000;

interface RequestHandlerOptions
  extends
    RequestCheckOptions,
    Pick<Settings, 'maxRequests' | 'maxUploadBytes' | 'requestTimeoutMs'> {}

interface Recorders {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly observer: RequestObserver | null;
}

/**
 * Creates the listener for Node's HTTP server. It answers each request, sends errors, discards bodies that
 * nobody reads, and records the request when its response has closed.
 */
export function createRequestHandler(
  find: FindEndpoint,
  isClosing: () => boolean,
  options: RequestHandlerOptions,
  { log, metrics, observer }: Recorders,
): RequestListener {
  const { maxRequests, maxUploadBytes, requestTimeoutMs } = options;
  const accepts = createRequestCheck(options);
  const running = new WeakMap<Socket, Set<HttpExchange>>();
  const host: ExchangeHost = {
    limits: new RequestLimits(maxRequests),
    requestTimeoutMs,
    discardLimits: {
      maxBytes: Math.max(maxUploadBytes, minDiscardedBytes),
      maxMs: requestTimeoutMs,
    },
    fail(exchange, error) {
      if (exchange.isAbandoned) return;
      const clientError = toClientError(error, exchange.id);
      if (clientError.cause !== null) log.failure(exchange, clientError.cause);
      sendError(exchange, clientError);
    },
    atDeadline(exchange) {
      exchange.body?.fail(bodyTimeout());
      setTimeout(() => cutLate(exchange), graceMs).unref();
    },
    ended(exchange) {
      const { req, res, cutBy, isComplete } = exchange;
      // After an early response, further requests of the connection are ignored.
      if (!exchange.isEarly) running.get(req.socket)?.delete(exchange);
      if (cutBy !== null) exchange.outcome = toClientError(cutBy, exchange.id).code;
      else if (!isComplete) exchange.outcome = 'CANCELLED';
      if (isComplete && !req.complete && !exchange.isEarly) exchange.discardBody();
      exchange.onClose?.();
      const status = res.headersSent ? res.statusCode : null;
      exchange.observed?.end(status, exchange.outcome, isComplete);
      const ms = performance.now() - exchange.startedAt;
      metrics.requestsInFlight.dec();
      metrics.requestFinished(exchange, ms);
      if (exchange.kind !== 'other') log.request(exchange, ms); // health checks are not logged
    },
  };

  const runningOn = (socket: Socket): Set<HttpExchange> => {
    const known = running.get(socket);
    if (known !== undefined) return known;
    const exchanges = new Set<HttpExchange>();
    running.set(socket, exchanges);
    socket.once('close', () => {
      for (const exchange of exchanges) exchange.end();
    });
    return exchanges;
  };

  return (req, res) => {
    const { socket } = req;
    const exchanges = runningOn(socket);
    if (socket.destroyed || exchanges.values().some(({ isEarly }) => isEarly)) return;
    const problem = toOriginForm(req);
    const path = pathOf(req.url ?? '');
    const endpoint = find(path, req);
    const exchange = new HttpExchange(endpoint?.kind ?? 'other', req, res, host);
    exchanges.add(exchange);
    if (observer !== null && exchange.kind !== 'other') {
      exchange.observed = observer.startRequest(req, exchange.kind === 'file' ? null : path);
    }
    metrics.requestsInFlight.inc();
    // Only the body of a POST has a meaning. Any other body is discarded at once, so that it does not stay in memory.
    if (req.method !== 'POST' && hasBody(req)) exchange.discardBody();
    const answering = async (): Promise<void> => {
      if (endpoint?.isProbe !== true) exchange.takePlace();
      if (problem !== null) throw problem;
      if (endpoint === undefined) throw unknownPath();
      const { methods = readMethods, anyHost, isLong } = endpoint;
      if (!accepts(exchange, methods, anyHost)) return;
      if (isLong && isClosing()) throw shuttingDown();
      await endpoint.answer(exchange, path);
    };
    answering().catch((error: unknown) => exchange.fail(error));
  };
}

function cutLate(exchange: HttpExchange): void {
  const { res, req, operation } = exchange;
  if (res.closed) return;
  if (res.writableEnded) req.socket.destroy();
  else exchange.failLate(lateResult(operation?.canHaveWritten === true));
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
