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
 * Lines are gathered to blocks, a quarter of a second at most: a system call for each would cost more than the rest of
 * it. They are gathered here, because pino's own gathering counts the bytes of all that it holds with every line.
 *
 * @param blockLength characters of a block; 0: every line is written at once
 */
export function standardOutput(blockLength = 0): LogOutput {
  // A least length of 0 would make `flush` wait for nothing.
  const target = pino.destination({ dest: 1, sync: false, minLength: 1 });
  let buffer = '';
  const writeBuffer = (): boolean => {
    if (buffer === '') return true;
    const block = buffer;
    buffer = '';
    // Where nobody reads it any more pino's answer is no boolean: then it takes all there is.
    // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare
    return target.write(block) !== false;
  };
  if (blockLength > 0) setInterval(writeBuffer, flushEveryMs).unref();
  const flush = (): void => {
    writeBuffer();
    target.flushSync();
  };
  return {
    write(lines) {
      buffer += lines;
      return buffer.length < blockLength || writeBuffer();
    },
    onDrain: (resume) => void target.on('drain', resume),
    // First without waiting, which finds out whether it is read: `flushSync` would try for ever.
    drained: () => {
      writeBuffer();
      return new Promise<void>((resolve) => target.flush(() => resolve())).then(flush);
    },
    flush,
  };
}
