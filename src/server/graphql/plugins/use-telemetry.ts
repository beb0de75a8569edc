import type { Plugin } from 'graphql-yoga';
import type { HttpExchange, RecordRequest } from '../../http/http-exchange.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Counts and logs a request as a GraphQL operation. */
export function createOperationRecord({
  metrics,
  log,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
}): RecordRequest {
  return (exchange, ms) => {
    metrics.operationFinished(exchange, ms);
    log.operation(exchange, ms);
  };
}

/**
 * Has every request that reaches Yoga recorded as an operation once its response has closed, in place of the record that
 * the gateway makes of other requests: each is counted and logged once.
 */
export function useTelemetry(record: RecordRequest): Plugin<HttpExchange, HttpExchange> {
  return {
    onRequest({ serverContext }) {
      serverContext.record = record;
    },
  };
}
