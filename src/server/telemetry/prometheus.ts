import { Gauge, type Registry } from 'prom-client';

/** Buckets of the histograms of durations. */
export const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers a gauge that every request changes. prom-client reads `value` when the metrics are requested. */
export function createGauge(name: string, help: string, registers: Registry[]): { value: number } {
  const gauge = { value: 0 };
  // prom-client registers it on construction.
  // oxlint-disable-next-line no-new
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(gauge.value);
    },
  });
  return gauge;
}
