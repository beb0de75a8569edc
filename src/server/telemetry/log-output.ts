import { isatty } from 'node:tty';
import { pino } from 'pino';

/** A destination of log lines. */
export interface LogOutput {
  /** Writes complete lines. Returns false if the buffer is full. */
  write(lines: string): boolean;
  /** Resolves when everything is written, or the reader has closed the output. */
  drained(): Promise<void>;
  /** Writes synchronously, for a process that is about to exit. */
  flush(): void;
}

const flushEveryMs = 250;
/**
 * Bytes that are written at once, unless one line is longer. Several processes can write to one pipe, and up to this
 * size (PIPE_BUF) their writes are not interleaved.
 */
const maxWrite = 4096;

/**
 * Opens the standard output for log lines: JSON lines are written as they are, and to a terminal as text for people. The
 * formatter is loaded for a terminal only.
 *
 * @param minLength bytes that are gathered before they are written, for a quarter of a second at most: a system call for
 * each line would cost more than the rest of it. Less than 4096. Default 1: every line is written at once, as it always
 * is to a terminal; 0 would make `flush` wait for nothing.
 */
export async function openStandardOutput(minLength = 1): Promise<LogOutput> {
  if (!isatty(1)) return standardOutput(minLength);
  const { createLogFormatter } = await import('./log-format.ts');
  // Node applies NO_COLOR, FORCE_COLOR and TERM.
  const format = createLogFormatter(process.stdout.hasColors());
  const output = standardOutput(1);
  return { ...output, write: (lines) => output.write(format(lines)) };
}

function standardOutput(minLength: number): LogOutput {
  const target = pino.destination({
    dest: 1,
    sync: false,
    minLength,
    maxWrite,
    periodicFlush: flushEveryMs,
  });
  const flush = (): void => target.flushSync();
  return {
    // If the reader has closed the output, pino returns undefined, and further lines are accepted.
    // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare
    write: (lines) => target.write(lines) !== false,
    // The asynchronous flush detects a closed output, on which `flushSync` would retry forever.
    drained: () => new Promise<void>((resolve) => target.flush(() => resolve())).then(flush),
    flush,
  };
}
