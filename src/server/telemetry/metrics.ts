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

/** The metrics of the gateway. Label values never come from clients, so their number is bounded. */
export interface Metrics {
  /** Receives the events of the REST client. */
  readonly observer: HttpObserver;
  /** Redis became available or unavailable. */
  redisChanged(isUp: boolean): void;
  requestStarted(exchange: HttpExchange): void;
  /** Counts a request that was answered without GraphQL: by its kind. */
  requestFinished(exchange: HttpExchange, ms: number): void;
  /** Counts a request that Yoga answered: by the type of its operation, if it got as far as having one. */
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

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const breakerStates = { closed: 0, halfOpen: 1, open: 2 };

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
  const running = levelGauge(
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
    observer: createObserver(registers),
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

/** Registers a gauge of what every request changes. prom-client reads the value when the metrics are requested. */
function levelGauge(name: string, help: string, registers: Registry[]): { value: number } {
  const level = { value: 0 };
  // prom-client registers it on construction.
  // oxlint-disable-next-line no-new
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(level.value);
    },
  });
  return level;
}

function createObserver(registers: Registry[]): HttpObserver {
  const calls = new Counter({
    name: 'gateway_upstream_calls_total',
    help: 'Number of DMS requests by path template and by status, or by error code if there was no response.',
    labelNames: ['route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'gateway_upstream_call_duration_seconds',
    help: 'Duration of a DMS request.',
    labelNames: ['route'],
    buckets: secondsBuckets,
    registers,
  });
  const running = levelGauge(
    'gateway_upstream_calls_in_flight',
    'Number of DMS requests in progress.',
    registers,
  );
  const waiting = levelGauge(
    'gateway_upstream_calls_waiting',
    'Number of DMS requests and transfers that wait for a connection.',
    registers,
  );
  const refused = new Counter({
    name: 'gateway_upstream_calls_refused_total',
    help: 'Number of DMS requests and transfers that got no connection, by reason: the queue was full (full) or the wait was too long (late).',
    labelNames: ['reason'],
    registers,
  });
  const rateLimited = new Counter({
    name: 'gateway_rate_limited_calls_total',
    help: 'Number of DMS requests and transfers that RATE_LIMIT rejected. They were not sent.',
    registers,
  });
  const retries = new Counter({
    name: 'gateway_upstream_retries_total',
    help: 'Number of retries of failed reads.',
    labelNames: ['route'],
    registers,
  });
  const breaker = new Gauge({
    name: 'gateway_upstream_breaker_state',
    help: 'State of the circuit breaker for the whole DMS. 0: closed, 1: half open, 2: open.',
    registers,
  });
  const openCircuits = new Gauge({
    name: 'gateway_upstream_open_circuits',
    help: 'Number of DMS endpoints with an open circuit breaker.',
    registers,
  });
  const cacheReads = { hit: 0, redis: 0, miss: 0, shared: 0 };
  // prom-client registers it on construction.
  // oxlint-disable-next-line no-new
  new Counter({
    name: 'gateway_cache_reads_total',
    help: 'Number of reads of reference data by outcome: cached (hit), cached in Redis (redis), not cached (miss) or shared with a concurrent read (shared).',
    labelNames: ['outcome'],
    registers,
    // One operation can read hundreds of persons, so reads are counted in plain numbers and added when the metrics are
    // requested.
    collect() {
      for (const outcome of ['hit', 'redis', 'miss', 'shared'] as const) {
        this.inc({ outcome }, cacheReads[outcome]);
        cacheReads[outcome] = 0;
      }
    },
  });
  const bytes = new Counter({
    name: 'gateway_file_bytes_total',
    help: 'Number of bytes of requests that upload files to the DMS (upload), and of files received from it (download).',
    labelNames: ['direction'],
    registers,
  });
  return {
    callStarted() {
      running.value += 1;
    },
    callFinished(method, path, outcome, ms) {
      const route = `${method} ${path}`;
      running.value -= 1;
      calls.inc({ route, status: outcome });
      durations.observe({ route }, ms / 1000);
    },
    waitingChanged(change) {
      waiting.value += change;
    },
    callRefused: (reason) => refused.inc({ reason }),
    rateLimited: () => rateLimited.inc(),
    retried: (route) => retries.inc({ route }),
    breakerChanged(state) {
      breaker.set(breakerStates[state]);
    },
    circuitsChanged(open) {
      openCircuits.set(open);
    },
    cacheRead(outcome) {
      cacheReads[outcome] += 1;
    },
    bytesMoved: (direction, count) => bytes.inc({ direction }, count),
  };
}
