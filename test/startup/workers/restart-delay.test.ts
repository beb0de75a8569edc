import { expect, it } from 'vitest';
import { restartDelayMs } from '../../../src/startup/workers/primary.ts';

it('doubles up to 30 seconds', () => {
  const pauses: number[] = [];
  for (let pause = 0; pauses.length < 11; pauses.push(pause)) pause = restartDelayMs(pause, 500);
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});

it('is reset by a stable worker', () => {
  expect(restartDelayMs(30_000, 10_000)).toBe(100);
});
