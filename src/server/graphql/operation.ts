import type { GraphQLParams } from 'graphql-yoga';
import type { GatewayContext, IncrementalExecution, TeamContext } from '../../context.ts';
import type { RequestBudget } from '../../rest/index.ts';
import type { Upload } from '../../schema/libraries.ts';
import type { OperationPlan, Variables } from '../../schema/plan/operation-plan.ts';
import type { HttpExchange, RecordedOperation } from '../http/http-exchange.ts';

/** An operation that is valid and within its limits. */
export interface PreparedOperation {
  readonly plan: OperationPlan;
  /** Values of the variables as `getVariableValues` of graphql-js returns them. */
  readonly variables: Variables;
  readonly budget: RequestBudget;
  /** Set when the execution starts. */
  isExecuted: boolean;
}

/** One GraphQL request on its way through the plugins. Each plugin adds what it determines. */
export class Operation implements RecordedOperation {
  /** The request and response that transport the operation. */
  readonly http: HttpExchange;

  /** The parameters of a request whose body has been read. Null: they are in the body. */
  givenParams: GraphQLParams | null = null;
  /** Files of a multipart request, as announced by its `map`. */
  files: ReadonlySet<Upload> | null = null;
  /** Why the request has no query text. Null: it has one, or Yoga says that it needs one. */
  missingQuery: Error | null = null;
  /** Whether the operator has approved the query text. */
  isTrusted = false;
  /** Called once, with the first result that shows that the DMS accepts the credentials of the caller. */
  onAccepted: (() => void) | null = null;
  /** Maximum size of the result, in bytes, if it is lower than MAX_RESPONSE_BYTES. */
  maxResultBytes: number | null = null;

  /* Set by `useOperation`. */
  operationName: string | null = null;
  operationType: 'query' | 'mutation' | 'subscription' | null = null;
  /** Null until the operation is accepted. Each event of a subscription is prepared anew. */
  prepared: PreparedOperation | null = null;
  /** Upstream calls of the events of a subscription or of the operations of a batch, without those of the current one. */
  earlierCalls = 0;

  constructor(http: HttpExchange) {
    this.http = http;
  }

  /** Whether the execution has started: its errors are not made for clients, unless they have a code. */
  get isExecuted(): boolean {
    return this.prepared?.isExecuted === true;
  }

  get canHaveWritten(): boolean {
    return this.isExecuted && this.operationType === 'mutation';
  }

  /** Number of upstream calls so far. */
  get sentCalls(): number {
    return this.earlierCalls + (this.prepared?.budget.sentCalls ?? 0);
  }
}

/** The context of Yoga and its plugins. Once the operation is accepted, it is complete (`AcceptedContext`). */
export interface OperationContext {
  readonly operation: Operation;
  /** Set when the caller is identified, for plugins that authorize a request before it is accepted. */
  runAs?: string | null;
  teamContext?: TeamContext | null;
  incremental?: IncrementalExecution | null;
}

/** A context in which documents are parsed and validated outside of a request, which neither reads. */
export function contextWithoutRequest(): OperationContext {
  return { operation: new Operation(null as never) };
}

/** The context of an accepted operation, with what resolvers need. */
export type AcceptedContext = OperationContext &
  GatewayContext & { readonly operation: { readonly prepared: PreparedOperation } };
