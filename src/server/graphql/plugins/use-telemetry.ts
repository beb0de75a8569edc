import type { Plugin } from 'graphql-yoga';
import type { HttpExchange, RecordRequest } from '../../http/http-exchange.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Counts and logs a request as a GraphQL operation: with its type, and in the log with its name. */
export function createOperationRecord(metrics: Metrics, log: Log): RecordRequest {
  return (exchange, ms) => {
    metrics.operationFinished(exchange, ms);
    log.operation(exchange, ms);
  };
}

/**
 * Records every request that reaches Yoga as an operation, when its response has closed. The record replaces the one
 * that the gateway makes of other requests: each request is counted and logged once.
 */
export function useTelemetry(record: RecordRequest): Plugin<HttpExchange, HttpExchange> {
  return {
    onRequest({ serverContext }) {
      serverContext.record = record;
    },
  };
}
