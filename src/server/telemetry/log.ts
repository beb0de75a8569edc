import { pino, type DestinationStream, type Level, type LevelWithSilent } from 'pino';
import { RestError } from '../../rest/client/rest-error.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { HttpError } from '../errors/http-error.ts';

export interface Log {
  /** The one line of a request that was answered without GraphQL. */
  request(exchange: HttpExchange, ms: number): void;
  /** The one line of a request that Yoga answered: the same with the name and type of its operation. */
  operation(exchange: HttpExchange, ms: number): void;
  /** Why a request, or part of it, failed: for operators, never for clients. */
  failure(exchange: HttpExchange, cause: unknown): void;
  failuresOmitted(exchange: HttpExchange, count: number): void;
  /** Something about the process itself. */
  write(level: Level, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/**
 * Structured lines into `target`. They hold no header, no credential, no value that
 * was read or written; of what a client sent only the request id and the name of the operation, both of
 * harmless characters, and in the line of a failure the path of the upstream call. Each line holds `base`.
 */
export function createLog(
  level: LevelWithSilent,
  target: DestinationStream,
  base: Readonly<Record<string, unknown>> | null = null,
): Log {
  const logger = pino({ level, base }, target);
  const writeRequest = (
    { id, kind, budget, earlierCalls, outcome, res }: HttpExchange,
    ms: number,
    operation?: string | null,
    type?: string,
  ): void =>
    logger.info({
      msg: 'request',
      requestId: id,
      kind,
      operation,
      type,
      ms: Math.round(ms * 10) / 10,
      calls: earlierCalls + (budget?.calls ?? 0),
      outcome,
      status: res.headersSent ? res.statusCode : null,
    });
  return {
    request: (exchange, ms) => writeRequest(exchange, ms),
    operation(exchange, ms) {
      const { operationName, operationType } = exchange;
      if (operationType === null) writeRequest(exchange, ms);
      else writeRequest(exchange, ms, operationName, operationType);
    },
    failure(exchange, cause) {
      logger[levelOf(cause)]({ msg: 'failure', requestId: exchange.id, ...fieldsOf(cause) });
    },
    failuresOmitted(exchange, count) {
      logger.warn({ msg: 'more failures', requestId: exchange.id, count });
    },
    write(level, message, fields) {
      logger[level]({ msg: message, ...fields });
    },
  };
}

function levelOf(cause: unknown): 'error' | 'warn' | 'info' {
  if (cause instanceof HttpError) return cause.status >= 500 ? 'warn' : 'info';
  if (!(cause instanceof RestError)) return 'error';
  return /^(UPSTREAM|OUTCOME)/.test(cause.code) ? 'warn' : 'info';
}

function fieldsOf(cause: unknown): Record<string, unknown> {
  if (cause instanceof RestError) {
    const { code, request, status, waitedMs, expected, got } = cause;
    return {
      code,
      request,
      status,
      waitedMs: waitedMs === null ? null : Math.round(waitedMs),
      expected,
      got,
      cause: causeChain(cause.cause),
    };
  }
  if (cause instanceof HttpError) return { code: cause.code, cause: causeChain(cause.cause) };
  const stack = cause instanceof Error ? cause.stack : undefined;
  return { code: 'INTERNAL_SERVER_ERROR', cause: causeChain(cause), stack };
}

/** What failed, and what made it fail: "connection" alone would not say whether a name or a port is wrong. */
function causeChain(cause: unknown): string | undefined {
  const texts: string[] = [];
  for (let one = cause; texts.length < 4; one = one instanceof Error ? one.cause : undefined) {
    const text = textOf(one);
    if (text === undefined) break;
    texts.push(text);
  }
  return texts.length === 0 ? undefined : texts.join(' ← ');
}

function textOf(cause: unknown): string | undefined {
  if (cause === undefined || cause === null) return undefined;
  if (!(cause instanceof Error)) return typeof cause;
  const code = 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return `${cause.name}${code}: ${cause.message}`.slice(0, 500);
}
