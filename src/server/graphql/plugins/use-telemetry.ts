import type { Plugin } from 'graphql-yoga';
import type { OperationContext } from '../operation-context.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Counts and logs an operation whose response has closed, `ms` after its request arrived. */
export type RecordOperation = (context: OperationContext, ms: number) => void;

/** Counts and logs a request as a GraphQL operation: with its type, and in the log with its name. */
export function createOperationRecord(metrics: Metrics, log: Log): RecordOperation {
  return (context, ms) => {
    metrics.requestFinished(context.http, ms, context.operationType);
    log.request(context.http, ms, context.calls, context);
  };
}

/**
 * Records every request that reaches Yoga as an operation, when its response has closed. The record replaces the one
 * that the gateway makes of other requests: each request is counted and logged once.
 */
export function useTelemetry(record: RecordOperation): Plugin<OperationContext, OperationContext> {
  return {
    onRequest({ serverContext: context }) {
      context.http.record = (ms) => record(context, ms);
    },
  };
}
