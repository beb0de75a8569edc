import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { LiveObserver } from '../../live/index.ts';
import type { HttpObserver } from '../../rest/client/observer.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { createGauge, secondsBuckets } from './prometheus.ts';
import { createUpstreamMetrics } from './upstream-metrics.ts';

/** The metrics of the gateway. Label values never come from clients, so their number is bounded. */
export interface Metrics {
  /** Receives the events of the REST client. */
  readonly observer: HttpObserver;
  /** Redis became available or unavailable. */
  redisChanged(isUp: boolean): void;
  requestStarted(exchange: HttpExchange): void;
  /** Counts a request that was answered without GraphQL: by its kind. */
  requestFinished(exchange: HttpExchange, ms: number): void;
  /** Counts a request that Yoga answered: by the type of its operation, if it was determined. */
  operationFinished(exchange: HttpExchange, ms: number): void;
  /** What subscriptions report to. */
  readonly liveObserver: LiveObserver;
  readonly contentType: string;
  /** The metrics of this process. */
  snapshot(): Promise<MetricsSnapshot>;
  /** All metrics in the text format of Prometheus, including those of other workers. */
  text(): Promise<string>;
}

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
export function createMetrics(options: MetricsOptions): Metrics {
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
  const registers = [registry];

  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Number of requests by type (query, mutation, file, …) and outcome (OK or the code of the first error).',
    labelNames: ['type', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['type'],
    buckets: secondsBuckets,
    registers,
  });
  const running = createGauge(
    'gateway_requests_in_flight',
    'Number of requests in progress.',
    registers,
  );
  const finished = (type: string, outcome: string, ms: number): void => {
    running.value -= 1;
    requests.inc({ type, outcome });
    durations.observe({ type }, ms / 1000);
  };
  const subscriptions = new Gauge({
    name: 'gateway_subscriptions_active',
    help: 'Subscriptions in progress.',
    registers,
  });
  const watches = new Gauge({
    name: 'gateway_watches_active',
    help: 'Objects of the DMS that are polled for subscriptions: one per user and document or view.',
    registers,
  });
  const redisUnavailable = new Gauge({
    name: 'gateway_redis_unavailable',
    help: '1 while REDIS_URL is set and Redis cannot be used, otherwise 0.',
    registers,
  });
  const snapshot = (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON();

  return {
    observer: createUpstreamMetrics(registers),
    redisChanged(isUp) {
      redisUnavailable.set(isUp ? 0 : 1);
    },
    requestStarted() {
      running.value += 1;
    },
    requestFinished: ({ kind, outcome }, ms) => finished(kind, outcome, ms),
    operationFinished: ({ operationType, kind, outcome }, ms) =>
      finished(operationType ?? kind, outcome, ms),
    liveObserver: {
      subscriptionsChanged: (change) => subscriptions.inc(change),
      watchesChanged: (change) => watches.inc(change),
    },
    contentType: registry.contentType,
    snapshot,
    async text() {
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
