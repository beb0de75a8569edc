import type { DiagLogger } from '@opentelemetry/api';
import type { Log } from '../log.ts';

const intervalMs = 60_000;
const maxReasonLength = 200;

/** What OpenTelemetry reports about itself. */
export interface ExportLog {
  /** Receives errors of exports. They contain the response of the collector, of which only the status is logged. */
  readonly onError: (error: unknown) => void;
  readonly logger: DiagLogger;
}

/**
 * Creates a log of failed exports. It writes at most one line per minute: while the collector is away, each batch
 * fails.
 *
 * @param now milliseconds
 */
export function createExportLog(
  writeLog: Log['write'],
  now: () => number = () => performance.now(),
): ExportLog {
  let writtenAt = -Infinity;
  let omitted = 0;
  const report = (reason: string): void => {
    if (now() - writtenAt < intervalMs) {
      omitted += 1;
      return;
    }
    writeLog('warn', 'traces not exported', { reason: reason.slice(0, maxReasonLength), omitted });
    writtenAt = now();
    omitted = 0;
  };
  const reportTexts = (...parts: unknown[]): void =>
    report(parts.filter((part) => typeof part === 'string').join(' '));
  const ignore = (): void => {};
  return {
    onError: (error) => report(reasonOf(error)),
    logger: {
      error: reportTexts,
      warn: reportTexts,
      info: ignore,
      debug: ignore,
      verbose: ignore,
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `status ${code}`;
  return typeof code === 'string' ? code : error.message;
}
