import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayOptions } from '../options.ts';
import { toClientError } from '../errors/client-error.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { discardBody, hasBody, Pipeline } from './pipeline.ts';
import type { Endpoint, FindEndpoint } from './endpoint-table.ts';
import { HttpExchange } from './http-exchange.ts';
import { toOriginForm } from './request-checks.ts';
import { sendError } from './respond.ts';
import { RequestMemory, type RequestMemoryOptions } from './request-memory.ts';
import type { RequestObserver } from './request-observer.ts';

/** A body of this size is always read to its end, so that its client gets the response, in bytes. */
const minDiscardedBytes = 64 * 2 ** 20;

/** The endpoints of the gateway. */
export interface RequestAnswers {
  readonly find: FindEndpoint;
  /** Answers a request. Rejects with the error to send to the client: 404 if there is no endpoint. */
  answer(endpoint: Endpoint | undefined, exchange: HttpExchange, path: string): Promise<void>;
}

/** Limits of all requests. */
export type RequestHandlerOptions = RequestMemoryOptions & Pick<GatewayOptions, 'maxUploadBytes'>;

/** Where requests are counted and logged, and what else observes them. */
export interface RequestRecorders {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly observer: RequestObserver | null;
}

/**
 * Creates the listener for Node's HTTP server. It answers each request, sends errors, discards bodies that
 * nobody reads, and records the request when its response has closed.
 */
export function createRequestHandler(
  { find, answer }: RequestAnswers,
  options: RequestHandlerOptions,
  { log, metrics, observer }: RequestRecorders,
): RequestListener {
  const memory = new RequestMemory(options);
  const pipelines = new WeakMap<Socket, Pipeline>();
  const discardLimits = {
    maxBytes: Math.max(options.maxUploadBytes, minDiscardedBytes),
    maxMs: options.requestTimeoutMs,
  };

  const fail = (exchange: HttpExchange, error: unknown): void => {
    if (exchange.isAbandoned) return;
    const clientError = toClientError(error, exchange.id);
    if (clientError.cause !== null) log.failure(exchange, clientError.cause);
    sendError(exchange, clientError);
  };

  const finish = (exchange: HttpExchange): void => {
    const { req, res } = exchange;
    const { cutBy } = exchange;
    if (cutBy !== null) exchange.outcome = toClientError(cutBy, exchange.id).code;
    // A client can close the connection as soon as it has an early response.
    const isComplete = res.writableFinished || (exchange.isEarly && res.writableLength === 0);
    if (!isComplete) {
      if (cutBy === null) exchange.outcome = 'CANCELLED';
    } else if (!req.complete && !exchange.isEarly) discardBody(req, discardLimits);
    exchange.onClose?.();
    const status = res.headersSent ? res.statusCode : null;
    exchange.observed?.end(status, exchange.outcome, isComplete);
    const ms = performance.now() - exchange.startedAt;
    metrics.requestsInFlight.value -= 1;
    metrics.requestFinished(exchange, ms);
    if (exchange.kind !== 'other') log.request(exchange, ms); // health checks are not logged
  };

  const start = (req: IncomingMessage, res: ServerResponse, pipeline: Pipeline): void => {
    const problem = toOriginForm(req);
    const path = pathOf(req.url ?? '');
    const endpoint = find(path, req);
    const exchange = new HttpExchange(endpoint?.kind ?? 'other', req, res, pipeline, finish);
    if (observer !== null && exchange.kind !== 'other') {
      exchange.observed = observer.startRequest(req, exchange.kind === 'file' ? null : path);
    }
    metrics.requestsInFlight.value += 1;
    res.once('close', () => {
      exchange.end();
      exchange.memory.release();
      pipeline.finished();
    });
    // Only the body of a POST has a meaning. Any other body is discarded at once, so that it does not stay in memory.
    if (req.method !== 'POST' && hasBody(req)) discardBody(req, discardLimits);
    if (problem !== null) {
      fail(exchange, problem);
      return;
    }
    answer(endpoint, exchange, path).catch((error: unknown) => fail(exchange, error));
  };

  return (req, res) => {
    let pipeline = pipelines.get(req.socket);
    if (pipeline === undefined) {
      pipeline = new Pipeline(req.socket, memory, discardLimits);
      pipelines.set(req.socket, pipeline);
    }
    pipeline.add(req, () => start(req, res, pipeline));
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
