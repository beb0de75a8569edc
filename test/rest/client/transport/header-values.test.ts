import { describe, expect, it } from 'vitest';
import {
  httpDateMs,
  listValue,
  singleValue,
} from '../../../../src/rest/client/transport/header-values.ts';

// undici returns several lines as an array, which the types of Node do not declare for most headers.
const headers = (value: unknown) => ({ name: value as string });

describe('singleValue', () => {
  it.each([
    ['5', '5'],
    [['5', '5'], '5'],
    [['5', '5', '5'], '5'],
    ['5, 5', '5'],
    ['5,5,5', '5'],
    ['"a", "a"', '"a"'],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    [
      'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
      'Sun, 06 Nov 1994 08:49:37 GMT',
    ],
    ['5, 6', '5, 6'],
    ['5,55', '5,55'],
    ['', ''],
    [['5', '6'], null],
    [['5', '5', '6'], null],
    [[], null],
    [undefined, null],
  ])('of %j is %j', (value, expected) => {
    expect(singleValue(headers(value), 'name')).toBe(expected);
  });

  it('of a long value takes no longer than its length', () => {
    const long = `${'a,'.repeat(50_000)}b`;
    expect(singleValue(headers(long), 'name')).toBe(long);
  });
});

it.each([
  ['a', 'a'],
  [['a', 'b'], 'a, b'],
  [['a', 'a', 'b'], 'a, b'],
  [undefined, null],
])('listValue of %j is %j', (value, expected) => {
  expect(listValue(headers(value), 'name')).toBe(expected);
});

describe('httpDateMs', () => {
  const expected = Date.UTC(2026, 10, 6, 8, 49, 37);

  it.each([
    'Fri, 06 Nov 2026 08:49:37 GMT',
    'Friday, 06-Nov-26 08:49:37 GMT',
    'Fri Nov  6 08:49:37 2026',
  ])('reads %s', (text) => {
    expect(httpDateMs(text)).toBe(expected);
  });

  it('reads two digits of a year as one that is at most 50 years in the future', () => {
    expect(httpDateMs('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });

  it('reads a day of two digits in the form of asctime', () => {
    expect(httpDateMs('Mon Nov 16 08:49:37 2026')).toBe(Date.UTC(2026, 10, 16, 8, 49, 37));
  });

  it.each([
    '1.5',
    '0.5',
    '-1',
    '+3',
    '5, 6',
    '2026-11-06',
    '2026-11-06T08:49:37Z',
    'Fri, 06 Nov 2026 08:49:37 +0000',
    'Fri, 06 Nov 2026 08:49:37',
    'Sun, 06 Nov 2026 08:49:37 GMT',
    'Mon, 30 Feb 2026 08:49:37 GMT',
    'Fri, 6 Nov 2026 08:49:37 GMT',
    '06 Nov 2026 08:49:37 GMT',
    'Invalid Date',
    '',
  ])('returns null for %j', (text) => {
    expect(httpDateMs(text)).toBeNull();
  });
});
