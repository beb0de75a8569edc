import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LogMerger } from '../../src/workers/log-merger.ts';

/** An output with a limited buffer. */
function createOutput() {
  const written: string[] = [];
  let resume = (): void => {};
  const output = {
    written,
    takes: true,
    write: (lines: string) => {
      written.push(lines);
      return output.takes;
    },
    onDrain: (callback: () => void) => {
      resume = callback;
    },
    drain: () => resume(),
    drained: async () => {},
    flush: () => {},
  };
  return output;
}

describe('the lines of several processes', () => {
  it('are complete, however their chunks arrive', async () => {
    const output = createOutput();
    const lines = new LogMerger(output);
    const [one, two] = [new PassThrough(), new PassThrough()];
    lines.from(one);
    lines.from(two);
    const long = 'x'.repeat(100_000);
    const chunks: [PassThrough, string | Buffer][] = [
      [one, '{"a":1}\n{"a'],
      [two, `{"b":"${long}`],
      [one, '":'],
      // Splits a multi-byte character.
      [two, Buffer.from('ü').subarray(0, 1)],
      [one, '2}\n'],
      [two, Buffer.concat([Buffer.from('ü').subarray(1), Buffer.from('"}\n{')])],
    ];
    for (const [source, chunk] of chunks) {
      source.write(chunk);
      await turn();
    }
    expect(output.written).toEqual(['{"a":1}\n', '{"a":2}\n', `{"b":"${long}ü"}\n`]);
  });

  it('do not include an incomplete line', async () => {
    const output = createOutput();
    const source = new PassThrough();
    new LogMerger(output).from(source);
    source.end('{"a":1}\n{"a":');
    await turn();
    expect(output.written).toEqual(['{"a":1}\n']);
  });

  it('wait while the output is full', async () => {
    const output = createOutput();
    const lines = new LogMerger(output);
    const [one, two] = [new PassThrough(), new PassThrough()];
    lines.from(one);
    lines.from(two);
    output.takes = false;
    one.write('a\n');
    two.write('b\n');
    await turn();
    one.write('c\n');
    two.write('d\n');
    await turn();
    expect(output.written).toEqual(['a\n', 'b\n']);
    output.takes = true;
    output.drain();
    await turn();
    expect(output.written).toEqual(['a\n', 'b\n', 'c\n', 'd\n']);
  });
});
