import { describe, expect, it } from 'vitest';
import { acceptableFor } from '../../../src/server/graphql/negotiation.ts';

const result = 'application/graphql-response+json';

describe('acceptableFor', () => {
  it.each([
    [`application/json;q=0.1, ${result};q=0.9`],
    [`application/json; q=0.1, ${result}; q=0.9`],
    [`application/json ;  Q=0, ${result}`],
    [`application/json; charset=utf-8; q=0.1, ${result}; q=0.9`],
  ])('prefers the type with the higher weight in %j', (header) => {
    expect(acceptableFor(header).whole).toBe(result);
  });

  it('accepts no type with weight 0 after a space', () => {
    expect(acceptableFor('application/json; q=0, text/event-stream; q=0')).toEqual({
      whole: null,
      parts: [],
      header: '',
    });
  });

  it.each([
    ['multipart/mixed;deferSpec=20220824'],
    ['multipart/mixed; deferSpec="20220824"'],
    ['multipart/mixed; deferSpec= "20220824"'],
  ])('accepts parts for %j', (header) => {
    expect(acceptableFor(header).parts).toEqual(['multipart/mixed']);
  });

  it.each([
    ['multipart/mixed;deferSpec=20230621'],
    ['multipart/mixed; deferSpec="202208240"'],
    ['multipart/mixed; incrementalSpec=v0.2'],
  ])('accepts no parts for %j', (header) => {
    expect(acceptableFor(header).parts).toEqual([]);
  });

  it('ignores a long header', () => {
    const header = Array.from({ length: 300 }, (_, i) => `a/b${i}`).join(', ');
    expect(acceptableFor(header)).toEqual(acceptableFor('*/*'));
  });
});
