const firstMs = 1000;
const maxMs = 30_000;

/** Returns the time before an attempt in milliseconds: 1 s, doubled up to 30 s, ± 20 %. `attempt` counts from 0. */
export function backOffMs(attempt: number): number {
  return Math.min(firstMs * 2 ** attempt, maxMs) * (0.8 + Math.random() * 0.4);
}
