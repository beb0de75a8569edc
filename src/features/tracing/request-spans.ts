import type { IncomingMessage } from 'node:http';
import { ROOT_CONTEXT, SpanKind, type Attributes, type Span } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { ObservedRequest, OperationInfo } from '../../server/http/request-observer.ts';
import {
  ATTR_GRAPHQL_OPERATION_NAME,
  ATTR_GRAPHQL_OPERATION_TYPE,
  CallSpans,
  contextOf,
  isSampled,
  propagator,
  setError,
  type SpanSource,
} from './call-spans.ts';

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const headerGetter = {
  get: (headers: IncomingMessage['headers'], name: string) => headers[name],
  keys: (headers: IncomingMessage['headers']) => Object.keys(headers),
};

export class RequestSpans implements ObservedRequest {
  readonly #source: SpanSource;
  readonly #span: Span;
  readonly #method: string;
  #requestCalls: CallSpans | null = null;
  #operation: CallSpans | null = null;
  #isEnded = false;

  constructor(source: SpanSource, { method = '', headers }: IncomingMessage, route: string | null) {
    this.#source = source;
    this.#method = knownMethods.has(method) ? method : '_OTHER';
    const attributes: Attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: this.#method,
      [ATTR_URL_SCHEME]: 'http',
    };
    if (route !== null) attributes[ATTR_HTTP_ROUTE] = route;
    const parent =
      headers['traceparent'] === undefined
        ? ROOT_CONTEXT
        : propagator.extract(ROOT_CONTEXT, headers, headerGetter);
    const kind = SpanKind.SERVER;
    this.#span = source.tracer.startSpan(this.#nameWith(route), { kind, attributes }, parent);
  }

  get logFields() {
    const { traceId, spanId } = this.#span.spanContext();
    return {
      trace_id: traceId,
      span_id: spanId,
      trace_flags: isSampled(this.#span) ? '01' : '00',
    };
  }

  get calls(): CallSpans {
    return (this.#requestCalls ??= new CallSpans(this.#source, this.#span));
  }

  setRoute(route: string): void {
    this.#span.updateName(this.#nameWith(route));
    this.#span.setAttribute(ATTR_HTTP_ROUTE, route);
  }

  startOperation(operation: OperationInfo, earlierOutcome: string): CallSpans {
    if (!isSampled(this.#span)) return this.calls;
    this.#operation?.endParent(earlierOutcome);
    const span = this.#source.tracer.startSpan(
      nameOf(operation),
      { kind: SpanKind.SERVER, attributes: attributesOf(operation) },
      contextOf(this.#span),
    );
    this.#operation = new CallSpans(this.#source, span);
    return this.#operation;
  }

  partSent(): void {
    this.#operation?.addEvent('gateway.part.sent');
  }

  startEvent(operation: OperationInfo) {
    if (!isSampled(this.#span)) return { calls: this.calls, end(_outcome: string): void {} };
    const span = this.#source.eventTracer.startSpan(
      nameOf(operation),
      {
        kind: SpanKind.INTERNAL,
        attributes: attributesOf(operation),
        links: [{ context: this.#span.spanContext() }],
      },
      ROOT_CONTEXT,
    );
    const calls = new CallSpans({ ...this.#source, tracer: this.#source.eventTracer }, span);
    return { calls, end: (outcome: string): void => calls.endParent(outcome) };
  }

  end(status: number | null, outcome: string, isComplete: boolean): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#operation?.endParent(outcome);
    const span = this.#span;
    if (status !== null) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
    // A GraphQL error in a response with status 200 is an error of the operation only. A rejected request has none.
    if (!isComplete || status === null || status >= 500) setError(span, outcome);
    else if (outcome !== 'OK' && this.#operation === null)
      span.setAttribute(ATTR_ERROR_TYPE, outcome);
    span.end();
  }

  #nameWith(route: string | null): string {
    const method = this.#method === '_OTHER' ? 'HTTP' : this.#method;
    return route === null ? method : `${method} ${route}`;
  }
}

function nameOf({ operationType }: OperationInfo): string {
  return operationType ?? 'GraphQL Operation';
}

function attributesOf({ operationType, operationName }: OperationInfo): Attributes {
  const attributes: Attributes = {};
  if (operationType !== null) attributes[ATTR_GRAPHQL_OPERATION_TYPE] = operationType;
  if (operationName !== null) attributes[ATTR_GRAPHQL_OPERATION_NAME] = operationName;
  return attributes;
}
