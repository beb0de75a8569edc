import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { HttpObserver } from '../../rest/client/observer.ts';
import type { HttpExchange } from '../http/http-exchange.ts';

/** What the gateway counts. No label takes its values from a client. */
export interface Metrics {
  /** What the DMS client reports to. */
  readonly observer: HttpObserver;
  /** Redis can be used, or cannot be used any more. */
  redisChanged(isUp: boolean): void;
  requestStarted(exchange: HttpExchange): void;
  requestFinished(exchange: HttpExchange, ms: number): void;
  readonly contentType: string;
  /** What this process counted. */
  snapshot(): Promise<MetricsSnapshot>;
  /** All of it, with what others counted, in the text format of Prometheus. */
  text(): Promise<string>;
}

/** What one process counted, as it can be sent to another. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface MetricsOptions {
  /** Whether figures of the process are among them; once per process. */
  readonly process: boolean;
  /** Where several processes answer on one port. */
  readonly worker?: {
    /** The label `worker` of all that this process counts, so that a scrape of any of them shows all of them. */
    readonly number: number;
    /** Asks the others for what they counted. */
    readonly others: () => Promise<readonly MetricsSnapshot[]>;
  };
}

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const breakerStates = { closed: 0, halfOpen: 1, open: 2 };

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const { worker } = options;
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker.number) });
  if (options.process) collectDefaultMetrics({ register: registry });
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
  const running = new Gauge({
    name: 'gateway_requests_in_flight',
    help: 'Number of requests in progress.',
    registers,
  });
  const redisUnavailable = new Gauge({
    name: 'gateway_redis_unavailable',
    help: '1 while REDIS_URL is set and Redis cannot be used, otherwise 0.',
    registers,
  });
  const { observer } = upstreamMetrics(registers);
  const snapshot = (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON();

  return {
    observer,
    redisChanged(isUp) {
      redisUnavailable.set(isUp ? 0 : 1);
    },
    requestStarted() {
      running.inc();
    },
    requestFinished(exchange, ms) {
      running.dec();
      const type = exchange.operationType ?? exchange.kind;
      requests.inc({ type, outcome: exchange.outcome });
      durations.observe({ type }, ms / 1000);
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
 * For prom-client to put figures together: by their label none has a counterpart that it would have to be added to, and
 * each is kept. What nobody could measure yet is no number, and null once it was sent: it does not count.
 */
function withSumAggregator(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.map((metric) => ({
    ...metric,
    aggregator: 'sum',
    values: metric.values.filter(({ value }) => Number.isFinite(value)),
  }));
}

function upstreamMetrics(registers: Registry[]): { observer: HttpObserver } {
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
  const running = new Gauge({
    name: 'gateway_upstream_calls_in_flight',
    help: 'Number of DMS requests in progress.',
    registers,
  });
  const waiting = new Gauge({
    name: 'gateway_upstream_calls_waiting',
    help: 'Number of DMS requests and transfers that wait for a connection.',
    registers,
  });
  const refused = new Counter({
    name: 'gateway_upstream_calls_refused_total',
    help: 'Number of DMS requests and transfers that got no connection, by reason: the queue was full (full) or the wait was too long (late).',
    labelNames: ['reason'],
    registers,
  });
  const rateLimited = new Counter({
    name: 'gateway_rate_limited_calls_total',
    help: 'Number of DMS requests and transfers that RATE_LIMIT refused. They were not sent.',
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
  // prom-client keeps it by its registry.
  // oxlint-disable-next-line no-new
  new Counter({
    name: 'gateway_cache_reads_total',
    help: 'Number of reads of reference data by outcome: cached (hit), cached in Redis (redis), not cached (miss) or shared with a concurrent read (shared).',
    labelNames: ['outcome'],
    registers,
    // One operation can read a hundred people: they are counted here and handed over when they are asked for.
    collect() {
      for (const outcome of ['hit', 'redis', 'miss', 'shared'] as const) {
        this.inc({ outcome }, cacheReads[outcome]);
        cacheReads[outcome] = 0;
      }
    },
  });
  const bytes = new Counter({
    name: 'gateway_file_bytes_total',
    help: 'Number of file bytes sent to (upload) and received from (download) the DMS.',
    labelNames: ['direction'],
    registers,
  });
  return {
    observer: {
      callStarted() {
        running.inc();
      },
      callFinished(method, path, outcome, ms) {
        const route = `${method} ${path}`;
        running.dec();
        calls.inc({ route, status: outcome });
        durations.observe({ route }, ms / 1000);
      },
      waitingChanged(change) {
        waiting.inc(change);
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
    },
  };
}
