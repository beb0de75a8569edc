import type { Readable } from 'node:stream';
import type { LogOutput } from '../server/telemetry/log-output.ts';

/**
 * Brings the lines of several processes into one output.
 *
 * If each wrote there itself, lines could be torn: a pipe writes no more than 4 KiB atomically, and a block of log
 * lines, or the one line of a long stack, may be longer. One writer that passes on whole lines, a block at a time,
 * costs next to nothing. An output that takes no more holds the sources up, not this process.
 */
export class LogMerger {
  readonly #output: LogOutput;
  readonly #held = new Set<Readable>();

  constructor(output: LogOutput) {
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
