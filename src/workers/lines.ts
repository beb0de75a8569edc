import type { Readable } from 'node:stream';
import { pino } from 'pino';

/** Where lines go. */
export interface Output {
  /** Whole lines. False where there is enough for now, until `onDrain` calls back. */
  write(lines: string): boolean;
  onDrain(resume: () => void): void;
  /** Resolves when all of it is written, or nobody reads it any more. */
  drained(): Promise<void>;
  /** For a process that has no time left: writes at once. */
  flush(): void;
}

const flushEveryMs = 250;

/** @param blockBytes what is gathered before it is written, for a quarter of a second; 1: nothing */
export function standardOutput(blockBytes = 1): Output {
  const target = pino.destination({ dest: 1, sync: false, minLength: blockBytes });
  if (blockBytes > 1) setInterval(() => target.flush(), flushEveryMs).unref();
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

/**
 * Brings the lines of several processes into one output.
 *
 * If each wrote there itself, lines could be torn: a pipe takes no more than 4 KiB as one piece, and a block of log
 * lines, or the one line of a long stack, may be longer. One writer that passes on whole lines, a block at a time,
 * costs next to nothing. An output that takes no more holds the sources up, not this process.
 */
export class Lines {
  readonly #output: Output;
  readonly #held = new Set<Readable>();

  constructor(output: Output) {
    this.#output = output;
    output.onDrain(() => {
      for (const source of this.#held) source.resume();
      this.#held.clear();
    });
  }

  /** What follows the last line break of a source is half a line of a process that was killed: it is left out. */
  from(source: Readable): void {
    let begun = '';
    source.setEncoding('utf8');
    source.on('data', (chunk: string) => {
      const end = chunk.lastIndexOf('\n') + 1;
      if (end === 0) {
        begun += chunk;
        return;
      }
      const lines = begun + chunk.slice(0, end);
      begun = chunk.slice(end);
      if (this.#output.write(lines)) return;
      source.pause();
      this.#held.add(source);
    });
  }
}
