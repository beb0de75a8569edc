import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { HttpObserver } from '../../rest/index.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { readVersion } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface MetricsOptions {
  readonly process: boolean;
  readonly worker?: {
    readonly number: number;
    readonly others: () => Promise<readonly MetricsSnapshot[]>;
  };
}

export function createMetrics(options: MetricsOptions) {
  const { worker } = options;
  const registry = worker === undefined ? new Registry() : new WorkerRegistry();
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker.number) });
  if (options.process) {
    collectDefaultMetrics({ register: registry });
    // Gauges with a name that Prometheus reserves for counters. Each has a variant with types, which can be summed.
    for (const name of ['handles', 'requests', 'resources']) {
      registry.removeSingleMetric(`nodejs_active_${name}_total`);
    }
  }
  const create = new MetricFactory(registry);
  // prom-client registers it on construction.
  // oxlint-disable-next-line no-new
  new Gauge({
    name: 'gateway_build_info',
    help: 'Version and commit of the gateway. Always 1.',
    labelNames: ['version', 'commit'],
    registers: [registry],
    collect() {
      this.set({ ...readVersion() }, 1);
    },
  });
  const requests = create.counter(
    'gateway_requests_total',
    'Number of requests by type (query, mutation, file, …), outcome (OK or the code of the first error) and, of a trusted document, name of the operation.',
    ['type', 'outcome', 'operation'],
  );
  const durations = create.durations(
    'gateway_request_duration_seconds',
    'Time from the arrival of a request to the end of its response.',
    ['type', 'operation'],
  );
  const requestsInFlight = create.gauge(
    'gateway_requests_in_flight',
    'Number of requests in progress.',
  );
  const snapshot = (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON();

  return {
    observer: createUpstreamMetrics(create),
    requestsInFlight,
    /**
     * Counts a request: by the type of its operation, if it was determined, otherwise by its kind. The name of an
     * operation is a label only if it is that of a trusted document.
     */
    requestFinished({ kind, outcome, operation }: HttpExchange, ms: number): void {
      const type = operation?.operationType ?? kind;
      const name = operation?.isTrusted ? operation.operationName : null;
      const labels = name == null ? { type } : { type, operation: name };
      requests.inc({ ...labels, outcome });
      durations.observe(labels, ms / 1000);
    },
    registry,
    create,
    contentType: registry.contentType,
    snapshot,
    async text(): Promise<string> {
      if (worker === undefined) return registry.metrics();
      const [own, others] = await Promise.all([snapshot(), worker.others()]);
      return AggregatorRegistry.aggregate([own, ...others]).metrics();
    },
  };
}

/**
 * The metrics of a worker, for the aggregation by prom-client. The label `worker` makes all series distinct, so that
 * summing keeps each of them. Values that were not measured yet (NaN) would be null after transmission.
 */
class WorkerRegistry extends Registry {
  override async getMetricsAsJSON(): Promise<MetricsSnapshot> {
    const metrics = await super.getMetricsAsJSON();
    return metrics.map((metric) => ({
      ...metric,
      aggregator: 'sum',
      values: metric.values.filter(({ value }) => Number.isFinite(value)),
    }));
  }
}

function createUpstreamMetrics(create: MetricFactory): HttpObserver {
  const calls = create.counter(
    'gateway_upstream_calls_total',
    'Number of DMS requests by path template and by status, or by error code if there was no response.',
    ['route', 'status'],
  );
  const durations = create.durations(
    'gateway_upstream_call_duration_seconds',
    'Duration of a DMS request.',
    ['route'],
  );
  const retries = create.counter(
    'gateway_upstream_retries_total',
    'Number of retries of failed reads.',
    ['route'],
  );
  const refused = create.counter(
    'gateway_upstream_calls_refused_total',
    'Number of DMS requests and transfers that got no connection, by reason: the queue was full (full) or the wait was too long (late).',
    ['reason'],
  );
  const rateLimited = create.counter(
    'gateway_rate_limited_calls_total',
    'Number of DMS requests and transfers that RATE_LIMIT rejected. They were not sent.',
  );
  const openCircuits = create.gauge(
    'gateway_upstream_open_circuits',
    'Number of DMS endpoints with an open circuit breaker.',
  );
  const cacheReads = create.counter(
    'gateway_cache_reads_total',
    'Number of reads of reference data by outcome: cached in memory (hit) or in a cache that processes share (its name), not cached (miss) or shared with a concurrent read (shared).',
    ['outcome'],
  );
  for (const outcome of ['hit', 'miss', 'shared']) cacheReads.inc({ outcome }, 0);
  const callsInFlight = create.gauge(
    'gateway_upstream_calls_in_flight',
    'Number of DMS requests in progress.',
  );
  const callsWaiting = create.gauge(
    'gateway_upstream_calls_waiting',
    'Number of DMS requests and transfers that wait for a connection.',
  );
  const bytes = create.counter(
    'gateway_file_bytes_total',
    'Number of bytes of requests that upload files to the DMS (upload), and of files received from it (download).',
    ['direction'],
  );
  const finished: {
    readonly route: string;
    readonly status: number | string;
    readonly ms: number;
  }[] = [];
  const countFinished = (): void => {
    for (const { route, status, ms } of finished.splice(0)) {
      calls.inc({ route, status });
      durations.observe({ route }, ms / 1000);
    }
  };
  return {
    callsInFlight: (change) => callsInFlight.inc(change),
    callsWaiting: (change) => callsWaiting.inc(change),
    callFinished(method, path, status, ms) {
      // Counted when the operations that wait for these calls have continued.
      if (finished.length === 0) setImmediate(countFinished);
      finished.push({ route: `${method} ${path}`, status, ms });
    },
    retried: (route) => retries.inc({ route }),
    callRefused: (reason) => refused.inc({ reason }),
    rateLimited: () => rateLimited.inc(),
    circuitsChanged: (open) => openCircuits.set(open),
    cacheRead: (outcome) => cacheReads.inc({ outcome }),
    bytesMoved: (direction, count) => bytes.inc({ direction }, count),
  };
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

class MetricFactory {
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

  durations(name: string, help: string, labelNames: readonly string[]): Histogram {
    const registers = this.#registers;
    return new Histogram({ name, help, labelNames, buckets: secondsBuckets, registers });
  }
}
