import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { LiveObserver } from '../../live/index.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { TracedOperation } from '../http/request-trace.ts';
import { MetricFactory } from './prometheus.ts';
import { createUpstreamMetrics } from './upstream-metrics.ts';

/** The metrics of the gateway. Label values never come from clients, so their number is bounded. */
export type Metrics = ReturnType<typeof createMetrics>;

/** The metrics of one process in a form that can be sent to another. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Which metrics to collect. */
export interface MetricsOptions {
  /** Whether to include metrics of the process, such as memory. Only once per process. */
  readonly process: boolean;
  /** Set if several processes share a port. */
  readonly worker?: {
    /**
     * Value of the label `worker`, which identifies the process when a scrape of any worker returns the metrics of all.
     */
    readonly number: number;
    /** Requests the metrics of the other workers. */
    readonly others: () => Promise<readonly MetricsSnapshot[]>;
  };
}

/** Creates the registry and its metrics. docs/operations.md lists them. */
export function createMetrics(options: MetricsOptions) {
  const registry = new Registry();
  const { worker } = options;
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker.number) });
  if (options.process) {
    collectDefaultMetrics({ register: registry });
    // Gauges with a name that Prometheus reserves for counters. Each has a variant with types, which can be summed.
    for (const name of ['handles', 'requests', 'resources']) {
      registry.removeSingleMetric(`nodejs_active_${name}_total`);
    }
  }
  const create = new MetricFactory(registry);
  const requests = create.counter(
    'gateway_requests_total',
    'Number of requests by type (query, mutation, file, …) and outcome (OK or the code of the first error).',
    ['type', 'outcome'],
  );
  const durations = create.durations(
    'gateway_request_duration_seconds',
    'Time from the arrival of a request to the end of its response.',
    ['type'],
  );
  const running = create.plainGauge(
    'gateway_requests_in_flight',
    'Number of requests in progress.',
  );
  const subscriptions = create.gauge('gateway_subscriptions_active', 'Subscriptions in progress.');
  const watches = create.gauge(
    'gateway_watches_active',
    'Objects of the DMS that are polled for subscriptions: one per user and document or view.',
  );
  const redisUnavailable = create.gauge(
    'gateway_redis_unavailable',
    '1 while REDIS_URL is set and Redis cannot be used, otherwise 0.',
  );
  const snapshot = (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON();
  const liveObserver: LiveObserver = {
    subscriptionsChanged: (change) => subscriptions.inc(change),
    watchesChanged: (change) => watches.inc(change),
  };

  return {
    /** Receives the events of the REST client. */
    observer: createUpstreamMetrics(create),
    /** Receives the events of subscriptions. */
    liveObserver,
    /** Redis became available or unavailable. */
    redisChanged: (isUp: boolean): void => redisUnavailable.set(isUp ? 0 : 1),
    requestStarted(): void {
      running.value += 1;
    },
    /** Counts a request: by the type of its operation, if it was determined, otherwise by its kind. */
    requestFinished(
      { kind, outcome }: HttpExchange,
      ms: number,
      operationType?: TracedOperation['operationType'],
    ): void {
      const type = operationType ?? kind;
      running.value -= 1;
      requests.inc({ type, outcome });
      durations.observe({ type }, ms / 1000);
    },
    contentType: registry.contentType,
    /** The metrics of this process. */
    snapshot,
    /** All metrics in the text format of Prometheus, including those of other workers. */
    async text(): Promise<string> {
      if (worker === undefined) return registry.metrics();
      const [own, theirs] = await Promise.all([snapshot(), worker.others()]);
      return AggregatorRegistry.aggregate([own, ...theirs].map(withSumAggregator)).metrics();
    },
  };
}

/**
 * Prepares a snapshot for prom-client's aggregation. The label `worker` makes all series distinct, so that summing
 * keeps each of them. Values that were not measured yet (NaN, or null after transmission) are dropped.
 */
function withSumAggregator(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.map((metric) => ({
    ...metric,
    aggregator: 'sum',
    values: metric.values.filter(({ value }) => Number.isFinite(value)),
  }));
}
