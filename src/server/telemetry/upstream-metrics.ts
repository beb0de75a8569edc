import type { HttpObserver } from '../../rest/client/observer.ts';
import type { MetricFactory } from './prometheus.ts';

const breakerStates = { closed: 0, halfOpen: 1, open: 2 };

/** Creates the metrics of the REST client. The result receives its events. */
export function createUpstreamMetrics(create: MetricFactory): HttpObserver {
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
  const running = create.plainGauge(
    'gateway_upstream_calls_in_flight',
    'Number of DMS requests in progress.',
  );
  const retries = create.counter(
    'gateway_upstream_retries_total',
    'Number of retries of failed reads.',
    ['route'],
  );
  const waiting = create.plainGauge(
    'gateway_upstream_calls_waiting',
    'Number of DMS requests and transfers that wait for a connection.',
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
  const breaker = create.gauge(
    'gateway_upstream_breaker_state',
    'State of the circuit breaker for the whole DMS. 0: closed, 1: half open, 2: open.',
  );
  const openCircuits = create.gauge(
    'gateway_upstream_open_circuits',
    'Number of DMS endpoints with an open circuit breaker.',
  );
  const cacheReads = create.plainCounter(
    'gateway_cache_reads_total',
    'Number of reads of reference data by outcome: cached (hit), cached in Redis (redis), not cached (miss) or shared with a concurrent read (shared).',
    'outcome',
    ['hit', 'redis', 'miss', 'shared'],
  );
  const bytes = create.counter(
    'gateway_file_bytes_total',
    'Number of bytes of requests that upload files to the DMS (upload), and of files received from it (download).',
    ['direction'],
  );
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
    waitingChanged(change) {
      waiting.value += change;
    },
    callRefused: (reason) => refused.inc({ reason }),
    rateLimited: () => rateLimited.inc(),
    breakerChanged: (state) => breaker.set(breakerStates[state]),
    circuitsChanged: (open) => openCircuits.set(open),
    cacheRead(outcome) {
      cacheReads[outcome] += 1;
    },
    bytesMoved: (direction, count) => bytes.inc({ direction }, count),
  };
}
