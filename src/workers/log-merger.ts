import type { Readable } from 'node:stream';
import type { LogOutput } from '../server/telemetry/log-output.ts';

/**
 * Merges the log lines of several processes into one output.
 *
 * If each process wrote to the output itself, lines could be interleaved: a pipe writes at most 4 KiB atomically, and a
 * block of log lines or one long stack trace can be longer. This writer passes on whole lines, one block at a time, at
 * little cost. If the output blocks, it pauses the sources, so that memory does not grow.
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

  /**
   * Reads the lines of a source. Text after its last line break is an incomplete line of a process that was killed, and
   * is dropped.
   */
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
