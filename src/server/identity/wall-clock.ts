/**
 * Whether something that began at `sinceMs` began less than `maxAgeMs` ago by the wall clock, which stands still for
 * nobody and can be set. False if it began in the future: the clock was set back since then.
 */
export function isYounger(sinceMs: number, maxAgeMs: number): boolean {
  const ageMs = Date.now() - sinceMs;
  return ageMs >= 0 && ageMs < maxAgeMs;
}
