import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { HttpObserver } from '../../rest/client/observer.ts';
import { createGauge, secondsBuckets } from './prometheus.ts';

const breakerStates = { closed: 0, halfOpen: 1, open: 2 };

/** Registers the metrics of the REST client. The result receives its events. */
export function createUpstreamMetrics(registers: Registry[]): HttpObserver {
  return {
    ...callMetrics(registers),
    ...connectionMetrics(registers),
    ...breakerMetrics(registers),
    ...cacheMetrics(registers),
    ...fileMetrics(registers),
  };
}

function callMetrics(
  registers: Registry[],
): Pick<HttpObserver, 'callStarted' | 'callFinished' | 'retried'> {
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
  const running = createGauge(
    'gateway_upstream_calls_in_flight',
    'Number of DMS requests in progress.',
    registers,
  );
  const retries = new Counter({
    name: 'gateway_upstream_retries_total',
    help: 'Number of retries of failed reads.',
    labelNames: ['route'],
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
    retried: (route) => retries.inc({ route }),
  };
}

/** Calls that wait for a connection, or are rejected before they get one. */
function connectionMetrics(
  registers: Registry[],
): Pick<HttpObserver, 'waitingChanged' | 'callRefused' | 'rateLimited'> {
  const waiting = createGauge(
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
  return {
    waitingChanged(change) {
      waiting.value += change;
    },
    callRefused: (reason) => refused.inc({ reason }),
    rateLimited: () => rateLimited.inc(),
  };
}

function breakerMetrics(
  registers: Registry[],
): Pick<HttpObserver, 'breakerChanged' | 'circuitsChanged'> {
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
  return {
    breakerChanged(state) {
      breaker.set(breakerStates[state]);
    },
    circuitsChanged(open) {
      openCircuits.set(open);
    },
  };
}

function cacheMetrics(registers: Registry[]): Pick<HttpObserver, 'cacheRead'> {
  const reads = { hit: 0, redis: 0, miss: 0, shared: 0 };
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
        this.inc({ outcome }, reads[outcome]);
        reads[outcome] = 0;
      }
    },
  });
  return {
    cacheRead(outcome) {
      reads[outcome] += 1;
    },
  };
}

function fileMetrics(registers: Registry[]): Pick<HttpObserver, 'bytesMoved'> {
  const bytes = new Counter({
    name: 'gateway_file_bytes_total',
    help: 'Number of bytes of requests that upload files to the DMS (upload), and of files received from it (download).',
    labelNames: ['direction'],
    registers,
  });
  return { bytesMoved: (direction, count) => bytes.inc({ direction }, count) };
}
