import { onTestFinished, vi } from 'vitest';

/** Advances `performance.now()` by milliseconds, without waiting. */
export interface PassableClock {
  (ms: number): void;
  /** From now on, the clock advances in no other way. */
  stopClock(): void;
}

/** Replaces `performance.now()` until the end of the test by a clock that the test can advance. */
export function passable(): PassableClock {
  const now = performance.now.bind(performance);
  let skippedMs = 0;
  let stoppedAt: number | null = null;
  const clock = vi
    .spyOn(performance, 'now')
    .mockImplementation(() => (stoppedAt ?? now()) + skippedMs);
  onTestFinished(() => clock.mockRestore());
  const pass = (ms: number): void => {
    skippedMs += ms;
  };
  const stopClock = (): void => {
    stoppedAt = Math.ceil(now()); // times in whole milliseconds add up exactly
  };
  return Object.assign(pass, { stopClock });
}
