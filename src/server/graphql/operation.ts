import type { GraphQLParams } from 'graphql-yoga';
import type { GatewayContext, IncrementalExecution, TeamContext } from '../../context.ts';
import type { RequestBudget } from '../../rest/index.ts';
import type { Upload } from '../../schema/libraries.ts';
import type { OperationPlan, Variables } from '../../schema/plan/operation-plan.ts';
import type { HttpExchange, RecordedOperation } from '../http/http-exchange.ts';

export interface PreparedOperation {
  readonly plan: OperationPlan;
  readonly variables: Variables;
  readonly budget: RequestBudget;
  isExecuted: boolean;
}

export class Operation implements RecordedOperation {
  readonly http: HttpExchange;

  readonly givenParams: GraphQLParams | null;
  files: ReadonlySet<Upload> | null = null;
  missingQuery: Error | null = null;
  isTrusted = false;
  onAccepted: (() => void) | null = null;
  readonly maxResultBytes: number;

  /* Set by `useOperation`. */
  operationName: string | null = null;
  operationType: 'query' | 'mutation' | 'subscription' | null = null;
  prepared: PreparedOperation | null = null;
  earlierCalls: number;

  /** @param givenParams those of a request that is not a GraphQL request. Null: they are in its body */
  constructor(
    http: HttpExchange,
    maxResultBytes: number,
    givenParams: GraphQLParams | null = null,
  ) {
    this.http = http;
    this.maxResultBytes = maxResultBytes;
    this.givenParams = givenParams;
    this.earlierCalls = http?.operation?.sentCalls ?? 0; // of a batch of tool calls
  }

  /** Whether the execution has started: its errors are not made for clients, unless they have a code. */
  get isExecuted(): boolean {
    return this.prepared?.isExecuted === true;
  }

  get canHaveWritten(): boolean {
    return this.isExecuted && this.operationType === 'mutation';
  }

  get sentCalls(): number {
    return this.earlierCalls + (this.prepared?.budget.sentCalls ?? 0);
  }
}

export interface OperationContext {
  readonly operation: Operation;
  runAs?: string | null;
  teamContext?: TeamContext | null;
  incremental?: IncrementalExecution | null;
}

export function contextWithoutRequest(): OperationContext {
  return { operation: new Operation(null as never, 0) };
}

export type AcceptedContext = OperationContext &
  GatewayContext & { readonly operation: { readonly prepared: PreparedOperation } };
