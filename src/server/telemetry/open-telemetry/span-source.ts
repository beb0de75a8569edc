import {
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';

/** What all spans of a process are created with. */
export interface SpanSource {
  /** Samples as configured. */
  readonly tracer: Tracer;
  /** Samples everything: whether the events of a subscription are sampled is decided by its request. */
  readonly eventTracer: Tracer;
  /** Host and port of the DMS. */
  readonly upstream: { readonly address: string; readonly port: number };
}

/** The context in which a span is the parent. It holds nothing else: no baggage. */
export function contextOf(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

/** Whether a span is exported. Below a span that is not, none is created: all samplers follow their local parent. */
export function isSampled(span: Span): boolean {
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
}

/* The attributes of OpenTelemetry that are not stable yet. The package exports them from a module of several MiB. */

/** Path template of an upstream call. */
export const ATTR_URL_TEMPLATE = 'url.template';
/** The type of an operation: query, mutation or subscription. */
export const ATTR_GRAPHQL_OPERATION_TYPE = 'graphql.operation.type';
/** The name that the client gave to an operation. */
export const ATTR_GRAPHQL_OPERATION_NAME = 'graphql.operation.name';
