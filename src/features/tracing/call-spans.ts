import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
} from '@opentelemetry/semantic-conventions';
import type { CallInfo, CallObserver, ObservedCall } from '../../rest/index.ts';

export interface SpanSource {
  readonly tracer: Tracer;
  readonly eventTracer: Tracer;
  readonly upstream: { readonly address: string; readonly port: number };
}

export function contextOf(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

export function isSampled(span: Span): boolean {
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
}

const ATTR_URL_TEMPLATE = 'url.template';
export const ATTR_GRAPHQL_OPERATION_TYPE = 'graphql.operation.type';
export const ATTR_GRAPHQL_OPERATION_NAME = 'graphql.operation.name';

const maxEvents = 100;

export class CallSpans implements CallObserver {
  readonly #source: SpanSource;
  readonly #parent: Context;
  readonly #span: Span | null;
  readonly #unsampled: ObservedCall | null;
  #events = 0;
  #cachedReads = 0;
  #sharedReads = 0;

  constructor(source: SpanSource, span: Span | null) {
    this.#source = source;
    this.#span = span;
    this.#parent = span === null ? ROOT_CONTEXT : contextOf(span);
    this.#unsampled =
      span === null || isSampled(span) ? null : { headers: traceHeaders(this.#parent), end() {} };
  }

  startCall({ method, route, label }: CallInfo, attempt: number): ObservedCall {
    if (this.#unsampled !== null) return this.#unsampled;
    const { tracer, upstream } = this.#source;
    const attributes: Attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_SERVER_ADDRESS]: upstream.address,
      [ATTR_SERVER_PORT]: upstream.port,
      [ATTR_URL_TEMPLATE]: route,
      'gateway.call': label,
    };
    if (attempt > 1) attributes[ATTR_HTTP_REQUEST_RESEND_COUNT] = attempt - 1;
    const span = tracer.startSpan(
      `${method} ${route}`,
      { kind: SpanKind.CLIENT, attributes },
      this.#parent,
    );
    return new StartedCall(span);
  }

  cachedRead(resource: string, cache: string): void {
    this.#cachedReads += 1;
    this.addEvent('gateway.read.cached', {
      'gateway.resource': resource,
      'gateway.cache': cache,
    });
  }

  sharedRead({ route, label }: CallInfo): void {
    this.#sharedReads += 1;
    this.addEvent('gateway.read.shared', { [ATTR_URL_TEMPLATE]: route, 'gateway.call': label });
  }

  addEvent(name: string, attributes: Attributes = {}): void {
    if (this.#unsampled !== null || this.#span === null || !this.#span.isRecording()) return;
    this.#events += 1;
    if (this.#events <= maxEvents) this.#span.addEvent(name, attributes);
  }

  endParent(outcome: string): void {
    const span = this.#span;
    if (span === null) return;
    if (this.#cachedReads > 0) span.setAttribute('gateway.reads.cached', this.#cachedReads);
    if (this.#sharedReads > 0) span.setAttribute('gateway.reads.shared', this.#sharedReads);
    if (outcome !== 'OK') setError(span, outcome);
    span.end();
  }
}

class StartedCall implements ObservedCall {
  readonly headers: readonly string[];
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
    this.headers = traceHeaders(contextOf(span));
  }

  end(status: number | null, code: string | null): void {
    const span = this.#span;
    if (status !== null) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
    if (code !== null) setError(span, code);
    else if (status !== null && status >= 400) {
      // The status explains itself, so the conventions want no description.
      span.setAttribute(ATTR_ERROR_TYPE, String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }
}

export function setError(span: Span, code: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

/** Reads and writes the headers of W3C Trace Context. Baggage is neither read nor sent. */
export const propagator = new W3CTraceContextPropagator();

function traceHeaders(context: Context): string[] {
  const headers: string[] = [];
  propagator.inject(context, headers, {
    set: (carrier, name, value) => {
      if (value !== '') carrier.push(name, value);
    },
  });
  return headers;
}
