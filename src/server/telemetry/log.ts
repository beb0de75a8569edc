import { pino, type DestinationStream, type Level, type LevelWithSilent } from 'pino';
import { errorCodes, type ErrorCodeProperties } from '../../model/error-codes.ts';
import { RestError } from '../../rest/client/rest-error.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { RequestSpans, TracedOperation } from './open-telemetry/request-spans.ts';
import { HttpError } from '../errors/http-error.ts';

/** The structured log of the process. docs/operations.md describes the lines. */
export type Log = ReturnType<typeof createLog>;

/**
 * Creates a log that writes JSON lines to `target`. They contain no headers, credentials or field values. The only
 * client input is the request ID and the operation name, which are restricted to safe characters, and the path of a
 * failed upstream call. Each line contains `base`.
 */
export function createLog(
  level: LevelWithSilent,
  target: DestinationStream,
  base: Readonly<Record<string, unknown>> | null = null,
) {
  const logger = pino({ level, base }, target);
  return {
    /**
     * The one line of a request.
     *
     * @param calls number of upstream calls
     * @param operation the operation of a GraphQL request, if it was determined
     */
    request(
      { id, kind, outcome, res, trace }: HttpExchange,
      ms: number,
      calls: number,
      operation?: TracedOperation,
    ): void {
      const line = {
        msg: 'request',
        requestId: id,
        kind,
        ...(operation?.operationType && {
          operation: operation.operationName,
          type: operation.operationType,
        }),
        ms: Math.round(ms * 10) / 10,
        calls,
        outcome,
        status: res.headersSent ? res.statusCode : null,
      };
      logger.info(trace === null ? line : { ...line, ...traceFields(trace) });
    },
    /** Writes why a request or a part of it failed. Clients never see it. */
    failure({ id, trace }: HttpExchange, cause: unknown): void {
      const line = { msg: 'failure', requestId: id, ...fieldsOf(cause) };
      logger[levelOf(cause)]({ ...line, ...traceFields(trace) });
    },
    /** Writes the number of failures of a request that were not logged. */
    failuresOmitted({ id, trace }: HttpExchange, count: number): void {
      logger.warn({ msg: 'more failures', requestId: id, count, ...traceFields(trace) });
    },
    /** Writes a line that belongs to no request. */
    write(level: Level, message: string, fields?: Readonly<Record<string, unknown>>): void {
      logger[level]({ msg: message, ...fields });
    },
  };
}

/** The names that OpenTelemetry specifies for JSON logs. */
function traceFields(trace: RequestSpans | null): Record<string, string> | null {
  if (trace === null) return null;
  const { traceId, spanId, traceFlags } = trace.position;
  return { trace_id: traceId, span_id: spanId, trace_flags: traceFlags };
}

function levelOf(cause: unknown): ErrorCodeProperties['logLevel'] {
  const isCoded = cause instanceof RestError || cause instanceof HttpError;
  return errorCodes[isCoded ? cause.code : 'INTERNAL_SERVER_ERROR'].logLevel;
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

/** The error and its causes: "connection" alone would not show whether the host name or the port is wrong. */
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
