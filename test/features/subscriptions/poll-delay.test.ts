import { expect, it } from 'vitest';
import { pollDelayMs } from '../../../src/features/subscriptions/watch.ts';
import { RestError } from '../../../src/rest/client/rest-error.ts';

it('varies the interval by 10 % to both sides', () => {
  expect([0, 0.5, 1].map((random) => Math.round(pollDelayMs(5000, 0, null, random)))).toEqual([
    4500, 5000, 5500,
  ]);
});

it('never shortens an interval of more than a minute', () => {
  expect(pollDelayMs(300_000, 3, null, 0.5)).toBe(300_000);
});

it('waits as long as the DMS asks for, but no longer than a minute', () => {
  const error = (retryAfterMs: number) =>
    new RestError('UPSTREAM_UNAVAILABLE', 'GET /', { status: 503, retryAfterMs });
  expect(pollDelayMs(5000, 1, error(30_000), 0.5)).toBe(30_000);
  expect(pollDelayMs(5000, 1, error(3_600_000), 0.5)).toBe(60_000);
});

it('stays bounded after any number of failures', () => {
  expect(pollDelayMs(5000, 10_000, new Error('x'), 0.5)).toBe(60_000);
});
