import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Creates metrics in one registry. */
export class MetricFactory {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: this.#registers });
  }

  /** A histogram of seconds. */
  durations(name: string, help: string, labelNames: readonly string[]): Histogram {
    const registers = this.#registers;
    return new Histogram({ name, help, labelNames, buckets: secondsBuckets, registers });
  }

  /** A gauge that is always 1. `read` returns its labels, once, when the metrics are first requested. */
  info(name: string, help: string, read: () => object): void {
    let isRead = false;
    // prom-client registers it on construction.
    // oxlint-disable-next-line no-new
    new Gauge({
      name,
      help,
      labelNames: ['version', 'commit'],
      registers: this.#registers,
      collect() {
        if (!isRead) this.set({ ...read() }, 1);
        isRead = true;
      },
    });
  }

  /** A gauge that every request changes: a plain number, which is read when the metrics are requested. */
  plainGauge(name: string, help: string): { value: number } {
    const gauge = { value: 0 };
    // prom-client registers it on construction.
    // oxlint-disable-next-line no-new
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.set(gauge.value);
      },
    });
    return gauge;
  }

  /** A counter that an operation can increase hundreds of times: plain numbers, added when the metrics are requested. */
  plainCounter<const Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): Record<Value, number> {
    const counts = Object.fromEntries(values.map((value) => [value, 0])) as Record<Value, number>;
    // oxlint-disable-next-line no-new
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      collect() {
        for (const value of values) {
          this.inc({ [label]: value }, counts[value]);
          counts[value] = 0;
        }
      },
    });
    return counts;
  }
}
