import { pino } from 'pino';

/** Where lines go. */
export interface LogOutput {
  /** Whole lines. False where there is enough for now, until `onDrain` calls back. */
  write(lines: string): boolean;
  onDrain(resume: () => void): void;
  /** Resolves when all of it is written, or nobody reads it any more. */
  drained(): Promise<void>;
  /** For a process that has no time left: writes at once. */
  flush(): void;
}

const flushEveryMs = 250;

/**
 * @param minLength bytes that are gathered before they are written, for a quarter of a second at most: a system call for
 * each line would cost more than the rest of it. Default 1: every line is written at once; 0 would make `flush` wait
 * for nothing.
 */
export function standardOutput(minLength = 1): LogOutput {
  const target = pino.destination({ dest: 1, sync: false, minLength, periodicFlush: flushEveryMs });
  const flush = (): void => target.flushSync();
  return {
    // Where nobody reads it any more pino's answer is no boolean: then it takes all there is.
    // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare
    write: (lines) => target.write(lines) !== false,
    onDrain: (resume) => void target.on('drain', resume),
    // First without waiting, which finds out whether it is read: `flushSync` would try for ever.
    drained: () => new Promise<void>((resolve) => target.flush(() => resolve())).then(flush),
    flush,
  };
}
