import { isatty } from 'node:tty';
import { pino, type DestinationStream, type Level, type LevelWithSilent } from 'pino';
import { errorCodes, type ErrorCodeProperties } from '../../model/error-codes.ts';
import { RestError } from '../../rest/index.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { HttpError } from '../errors/http-error.ts';

export type Log = ReturnType<typeof createLog>;

export function createLog(
  level: LevelWithSilent,
  target: DestinationStream,
  base: Readonly<Record<string, unknown>> | null = null,
) {
  const logger = pino({ level, base }, target);
  return {
    request({ id, kind, outcome, res, observed, operation }: HttpExchange, ms: number): void {
      const line = {
        msg: 'request',
        requestId: id,
        kind,
        ...(operation?.operationType && {
          operation: operation.operationName,
          type: operation.operationType,
        }),
        ms: Math.round(ms * 10) / 10,
        calls: operation?.sentCalls ?? 0,
        outcome,
        status: res.headersSent ? res.statusCode : null,
      };
      logger.info(observed === null ? line : { ...line, ...observed.logFields });
    },
    failure({ id, observed }: HttpExchange, cause: unknown): void {
      const line = { msg: 'failure', requestId: id, ...fieldsOf(cause) };
      logger[levelOf(cause)]({ ...line, ...observed?.logFields });
    },
    failuresOmitted({ id, observed }: HttpExchange, count: number): void {
      logger.warn({ msg: 'more failures', requestId: id, count, ...observed?.logFields });
    },
    write(level: Level, message: string, fields?: Readonly<Record<string, unknown>>): void {
      logger[level]({ msg: message, ...fields });
    },
  };
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
  // Its frames are at its end. A message, which `causeChain` shortens, can contain a whole response.
  const stack = cause instanceof Error ? cause.stack?.slice(-maxStackLength) : undefined;
  return { code: 'INTERNAL_SERVER_ERROR', cause: causeChain(cause), stack };
}

const maxStackLength = 8000;

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

export interface LogOutput {
  write(lines: string): boolean;
  drained(): Promise<void>;
  flush(): void;
}

/**
 * How lines are gathered before they are written, for a quarter of a second at most: a system call for each line would
 * cost more than the rest of it.
 */
interface LogBlocks {
  /** Bytes that are gathered. At least 1: with 0, `drained` would not wait until everything is written. */
  readonly minLength: number;
  /** Bytes that are written at once, unless one line is longer. */
  readonly maxWrite: number;
}

export const ownBlocks: LogBlocks = { minLength: 15 * 1024, maxWrite: 16 * 1024 };
export const sharedBlocks: LogBlocks = { minLength: 3 * 1024, maxWrite: 4096 };
const lineByLine: LogBlocks = { minLength: 1, maxWrite: 4096 };

const flushEveryMs = 250;
/** Bytes that wait while the output cannot be written, or nobody reads it. Further lines are dropped. */
const maxLength = 16 * 1024 * 1024;

/**
 * If the output cannot be written, for example because the disk is full, standard error says so once, and lines wait
 * until it can.
 */
export async function openStandardOutput(blocks = lineByLine): Promise<LogOutput> {
  if (!isatty(1)) return standardOutput(blocks);
  const { createLogFormatter } = await import('./log-format.ts');
  // Node applies NO_COLOR, FORCE_COLOR and TERM.
  const format = createLogFormatter(process.stdout.hasColors());
  const output = standardOutput(lineByLine);
  return { ...output, write: (lines) => output.write(format(lines)) };
}

function standardOutput({ minLength, maxWrite }: LogBlocks): LogOutput {
  const target = pino.destination({
    dest: 1,
    sync: false,
    minLength,
    maxLength,
    maxWrite,
    periodicFlush: flushEveryMs,
    // With strings, the gathered block would be copied and measured again for every line.
    contentMode: 'buffer',
  });
  const isFailing = watchFailures(target);
  // On an output that fails, `flushSync` would retry forever.
  const { flushSync } = target;
  target.flushSync = () => {
    if (!isFailing()) flushSync.call(target);
  };
  const flush = (): void => target.flushSync();
  // pino's types declare only strings. The result is undefined if the reader has closed the output.
  const bytes = target as unknown as { write(lines: Buffer): boolean | undefined };
  return {
    write: (lines) => bytes.write(Buffer.from(lines)) !== false,
    // The asynchronous flush detects an output that is closed or fails.
    drained: () => new Promise<void>((resolve) => target.flush(() => resolve())).then(flush),
    flush,
  };
}

function watchFailures(target: ReturnType<typeof pino.destination>): () => boolean {
  let failing = false;
  target.on('error', (error: NodeJS.ErrnoException) => {
    const isNew = !failing && error.code !== 'EPIPE'; // a reader that has closed the output is no failure
    failing = true;
    if (isNew) process.stderr.write(`The log cannot be written: ${error.message}\n`);
  });
  target.on('write', () => {
    failing = false;
  });
  // The messages outside the log go to the same files.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return () => failing;
}
