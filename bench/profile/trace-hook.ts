/**
 * Loaded before a contestant's own code (`node --import`). SIGUSR2 writes what was recorded of the requests since the previous
 * one to TRACE_TO. It expects one request at a time.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** What happened to a request, in the order in which it happened. Times are in milliseconds since its head was parsed. */
export interface TracedRequest {
  readonly calls: { readonly event: 'sent' | 'answered'; readonly at: number }[];
  /** When the response was handed to the system. */
  endMs: number;
  /** Iterations of the event loop until then. */
  iterations: number;
}

const requests: TracedRequest[] = [];
let current: TracedRequest = { calls: [], endMs: 0, iterations: 0 };
let startedAt = 0;
let iterationAtStart = 0;

const iteration = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;
const add = (event: 'sent' | 'answered') => (): void => {
  current.calls.push({ event, at: performance.now() - startedAt });
};

subscribe('http.server.request.start', () => {
  current = { calls: [], endMs: 0, iterations: 0 };
  startedAt = performance.now();
  iterationAtStart = iteration();
});
subscribe('undici:client:sendHeaders', add('sent'));
subscribe('undici:request:trailers', add('answered'));
subscribe('http.server.response.finish', () => {
  current.endMs = performance.now() - startedAt;
  current.iterations = iteration() - iterationAtStart;
  requests.push(current);
});

process.on('SIGUSR2', () => {
  writeFileSync(process.env['TRACE_TO']!, JSON.stringify(requests.splice(0)));
});
