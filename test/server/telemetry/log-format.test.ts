import { describe, expect, it } from 'vitest';
import { createLogFormatter } from '../../../src/server/telemetry/log-format.ts';

const time = new Date(2026, 0, 2, 3, 4, 5, 6).getTime();
const format = createLogFormatter(false);
const formatEntry = (fields: object): string =>
  format(`${JSON.stringify({ level: 30, time, ...fields })}\n`);

const request = {
  msg: 'request',
  requestId: '0f3e0c34-7a3b-4b52-9c54-2f7c84b1a000',
  kind: 'graphql',
  operation: 'InboxDocuments',
  type: 'query',
  ms: 1234.5,
  calls: 12,
  outcome: 'OK',
  status: 200,
};

describe('createLogFormatter', () => {
  it('writes a request in one short line', () => {
    const line = formatEntry(request);
    expect(line).toBe('[03:04:05.006] INFO: query InboxDocuments: OK, 200, 1234.5 ms, 12 calls\n');
    expect(line.length).toBeLessThanOrEqual(100);
  });

  it('writes the ID of a request that did not succeed', () => {
    const { operation: _, ...unnamed } = request;
    expect(formatEntry({ ...unnamed, outcome: 'FORBIDDEN', calls: 1 })).toBe(
      `[03:04:05.006] INFO: query: FORBIDDEN, 200, 1234.5 ms, 1 call\n    requestId: ${request.requestId}\n`,
    );
    const { type: _type, ...rejected } = unnamed;
    expect(formatEntry({ ...rejected, outcome: 'CANCELLED', status: null })).toBe(
      `[03:04:05.006] INFO: graphql: CANCELLED, 1234.5 ms, 12 calls\n    requestId: ${request.requestId}\n`,
    );
  });

  it('writes a failure with one field per line, without those that are null', () => {
    const failure = {
      level: 40,
      msg: 'failure',
      requestId: 'r-1',
      code: 'UPSTREAM_ERROR',
      request: 'GET /api/v2/person/x',
      status: 200,
      waitedMs: null,
      expected: 'JSON',
      got: '12 bytes of "text"',
    };
    expect(formatEntry(failure)).toBe(
      [
        '[03:04:05.006] WARN: failure UPSTREAM_ERROR',
        '    requestId: r-1',
        '    request: GET /api/v2/person/x',
        '    status: 200',
        '    expected: JSON',
        '    got: 12 bytes of "text"',
        '',
      ].join('\n'),
    );
  });

  it('formats several lines and passes on other text', () => {
    const lines = [request, { ...request, worker: 3 }].map((fields) =>
      JSON.stringify({ level: 30, time, ...fields }),
    );
    const formatted = format(`GraphQL gateway: …\n${lines.join('\n')}\n`).split('\n');
    expect(formatted).toEqual([
      'GraphQL gateway: …',
      '[03:04:05.006] INFO: query InboxDocuments: OK, 200, 1234.5 ms, 12 calls',
      '[03:04:05.006] INFO: query InboxDocuments: OK, 200, 1234.5 ms, 12 calls (worker 3)',
      '',
    ]);
    expect(format('null\n"\u001B[31m"\n')).toBe('null\n"<U+001B>[31m"\n');
  });

  it('makes control characters and hidden characters visible in every field', () => {
    // Escape sequences of 7 and 8 bits, line breaks, deletion, and overrides of the text direction.
    const hostile = 'a\u001B]0;title\u0007\u009B2J\r\n[forged] INFO: x\u007F\u202E\u2028\u200B\b';
    const fields = ['operation', 'cause', 'expected', 'got', 'reason', 'request', 'stack', 'other'];
    for (const msg of ['request', 'failure', 'Redis not available', hostile]) {
      const entry = Object.fromEntries(fields.map((name) => [name, hostile]));
      const text = formatEntry({ ...request, ...entry, code: hostile, outcome: hostile, msg });
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const forged = text.split('\n').filter((line) => /^\S/.test(line));
      expect(forged).toEqual([expect.stringMatching(/^\[03:04:05\.006\] INFO: /)]);
      expect(text).toContain('<U+001B>]0;title<U+0007><U+009B>2J<U+000D>');
    }
    expect(format(`${hostile.replaceAll('\n', '')}\n`)).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('colors nothing but levels, messages and names', () => {
    const text = createLogFormatter(true)(
      `${JSON.stringify({ level: 40, time, msg: 'failure', code: 'X', cause: '\u001B[31m' })}\n`,
    );
    // oxlint-disable-next-line no-control-regex
    const sequences = text.match(/\u001B[^m]*m/g);
    expect(sequences?.length).toBeGreaterThan(3);
    // oxlint-disable-next-line no-control-regex
    expect(sequences?.every((sequence) => /^\u001B\[\d+m$/.test(sequence))).toBe(true);
    expect(text).toContain('<U+001B>[31m');
  });
});
