import { Counter, Gauge, type Aggregator, type Registry } from 'prom-client';

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

/** A number that goes up and down. */
export class Level {
  value = 0;
  readonly metric: Gauge;

  /** @param config.aggregator how the levels of several processes make one. Default: their sum */
  constructor(config: Described & { readonly aggregator?: Aggregator }) {
    const now = (): number => this.value;
    this.metric = new Gauge({
      ...config,
      collect() {
        this.set(now());
      },
    });
  }
}
