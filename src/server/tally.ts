import { Counter, Gauge, type Histogram, type Registry } from 'prom-client';

/*
 * Numbers that change with every call are kept plain, and prom-client is given them when somebody asks: it
 * would hash the labels each time.
 */

interface Described {
  readonly name: string;
  readonly help: string;
  readonly registers: Registry[];
}

/** Counts by one or two labels. */
export class Tally {
  readonly metric: Counter;
  readonly #counts = new Map<string, Map<string | number, number>>();

  constructor(config: Described & { readonly labelNames: readonly [string, string?] }) {
    const counts = this.#counts;
    const [first, second] = config.labelNames;
    this.metric = new Counter({
      ...config,
      labelNames: second === undefined ? [first] : [first, second],
      collect() {
        this.reset();
        for (const [one, inner] of counts) {
          for (const [other, count] of inner) {
            this.inc(
              second === undefined ? { [first]: one } : { [first]: one, [second]: other },
              count,
            );
          }
        }
      },
    });
  }

  add(one: string, other: string | number = '', by = 1): void {
    let inner = this.#counts.get(one);
    if (inner === undefined) {
      inner = new Map();
      this.#counts.set(one, inner);
    }
    inner.set(other, (inner.get(other) ?? 0) + by);
  }
}

/** How long something took, by one label: how often it was at most so many seconds. */
export class Timings {
  readonly #upTo: readonly number[];
  readonly #byLabel = new Map<string, { readonly counts: number[]; sum: number }>();

  constructor(config: Described & { readonly label: string; readonly upTo: readonly number[] }) {
    const { name, help, registers, label, upTo } = config;
    this.#upTo = upTo;
    const metric = {
      name,
      get: () => ({
        name,
        help,
        type: 'histogram',
        values: this.#values(name, label),
      }),
    };
    // A registry asks for no more than this; its types know prom-client's own classes alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    for (const registry of registers) registry.registerMetric(metric as unknown as Histogram);
  }

  observe(label: string, seconds: number): void {
    let timings = this.#byLabel.get(label);
    if (timings === undefined) {
      timings = { counts: [...this.#upTo, Infinity].map(() => 0), sum: 0 };
      this.#byLabel.set(label, timings);
    }
    let at = 0;
    while (at < this.#upTo.length && seconds > this.#upTo[at]!) at += 1;
    timings.counts[at]! += 1;
    timings.sum += seconds;
  }

  /** As Prometheus wants them: each bucket holds those below it. */
  #values(name: string, label: string): HistogramValue[] {
    return [...this.#byLabel].flatMap(([value, { counts, sum }]) => {
      const labels = { [label]: value };
      let total = 0;
      const buckets = counts.map((count, at) => {
        total += count;
        const le = this.#upTo[at] ?? '+Inf';
        return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: total },
      ];
    });
  }
}

interface HistogramValue {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A number that goes up and down. */
export class Level {
  value = 0;
  readonly metric: Gauge;

  constructor(config: Described) {
    const now = (): number => this.value;
    this.metric = new Gauge({
      ...config,
      collect() {
        this.set(now());
      },
    });
  }
}
