/**
 * Whether `sinceMs` is less than `maxAgeMs` ago by the system clock, which can be changed but does not stop while the
 * machine is suspended. False if `sinceMs` is in the future, because the clock was set back.
 */
export function isYounger(sinceMs: number, maxAgeMs: number): boolean {
  const ageMs = Date.now() - sinceMs;
  return ageMs >= 0 && ageMs < maxAgeMs;
}
