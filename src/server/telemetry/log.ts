import { pino, type DestinationStream, type Level, type LevelWithSilent } from 'pino';
import { RestError } from '../../rest/client/rest-error.ts';
import type { Exchange } from '../http/http-exchange.ts';
import { Refusal } from '../errors/http-error.ts';

export interface Log {
  /** The one line of a request. */
  request(exchange: Exchange, ms: number): void;
  /** Why a request, or part of it, failed: for operators, never for clients. */
  failure(exchange: Exchange, cause: unknown): void;
  failuresLeftOut(exchange: Exchange, count: number): void;
  /** Something about the process itself. */
  say(level: Level, message: string, facts?: Readonly<Record<string, unknown>>): void;
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
  const levelOfRequests = logger.levels.values['info'];
  return {
    request(exchange, ms) {
      if (!logger.isLevelEnabled('info')) return;
      const { id, kind, operationName, operationType, operation, outcome, res } = exchange;
      // The one line of every request, in the form of pino's own, which would build it piece by piece.
      const line = JSON.stringify({
        level: levelOfRequests,
        time: Date.now(),
        ...base,
        msg: 'request',
        requestId: id,
        kind,
        operation: operationType === null ? undefined : operationName,
        type: operationType ?? undefined,
        ms: Math.round(ms * 10) / 10,
        calls: operation?.calls ?? 0,
        outcome,
        status: res.headersSent ? res.statusCode : null,
      });
      target.write(`${line}\n`);
    },
    failure(exchange, cause) {
      logger[levelOf(cause)]({ msg: 'failure', requestId: exchange.id, ...factsOf(cause) });
    },
    failuresLeftOut(exchange, count) {
      logger.warn({ msg: 'more failures', requestId: exchange.id, count });
    },
    say(level, message, facts) {
      logger[level]({ msg: message, ...facts });
    },
  };
}

function levelOf(cause: unknown): 'error' | 'warn' | 'info' {
  if (cause instanceof Refusal) return cause.status >= 500 ? 'warn' : 'info';
  if (!(cause instanceof RestError)) return 'error';
  return /^(UPSTREAM|OUTCOME)/.test(cause.code) ? 'warn' : 'info';
}

function factsOf(cause: unknown): Record<string, unknown> {
  if (cause instanceof RestError) {
    const { code, request, status, waitedMs, expected, got } = cause;
    return {
      code,
      request,
      status,
      waitedMs: waitedMs === null ? null : Math.round(waitedMs),
      expected,
      got,
      cause: chainOf(cause.cause),
    };
  }
  if (cause instanceof Refusal) return { code: cause.code, cause: chainOf(cause.cause) };
  const stack = cause instanceof Error ? cause.stack : undefined;
  return { code: 'INTERNAL_SERVER_ERROR', cause: chainOf(cause), stack };
}

/** What failed, and what made it fail: "connection" alone would not say whether a name or a port is wrong. */
function chainOf(cause: unknown): string | undefined {
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
