import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { GraphQLParams } from 'graphql-yoga';
import type { GatewayContext } from '../../context.ts';
import type { OperationPlan } from '../../schema/plan/operation-plan.ts';
import type { IncomingFile } from '../../model/transfer.ts';
import type { Caller } from '../../rest/client/caller.ts';
import type { RequestBudget } from '../../rest/client/resilience/request-budget.ts';
import { ClientConnection } from './client-connection.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Pipeline } from './pipeline.ts';
import type { MemoryClaim } from './request-memory.ts';

/** The kind of endpoint. It determines what is counted and logged. */
export type RequestKind = 'graphql' | 'file' | 'other';

/** Counts and logs a request whose response has closed, `ms` after the request arrived. */
export type RecordRequest = (exchange: HttpExchange, ms: number) => void;

/**
 * One request and its response. For a GraphQL request it is the context object of Yoga, its plugins and the resolvers;
 * each plugin adds what it determines. All fields are declared, because Yoga assigns to the object and a fixed shape
 * keeps that fast.
 */
export class HttpExchange implements GatewayContext {
  /**
   * The client's `x-request-id` if it is valid, otherwise a new one. It is sent upstream and returned to the client.
   */
  readonly id: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly startedAt: number = performance.now();
  readonly kind: RequestKind;
  readonly connection: ClientConnection;
  /** The requests of the same connection. */
  readonly pipeline: Pipeline;
  /** What the request holds of the memory of the process. */
  readonly memory: MemoryClaim;
  /** CORS headers, which are part of every response. */
  corsHeaders: Readonly<Record<string, string>> = {};
  /** Files of a multipart request, as announced by its `map`. */
  files: ReadonlySet<IncomingFile> | null = null;
  budget: RequestBudget | null = null;
  /** Null if tracing is off. */
  trace: RequestTrace | null = null;
  /** Upstream calls of the events of a subscription, without those of the current one. */
  earlierCalls = 0;
  operationName: string | null = null;
  operationType: 'query' | 'mutation' | 'subscription' | null = null;
  /** Values of the variables as `getVariableValues` of graphql-js returns them. Empty until `useOperation` sets them. */
  coercedVariables: Readonly<Record<string, unknown>> = {};
  /** Null until the operation is accepted. */
  plan: OperationPlan | null = null;
  /** `OK`, or the code of the first error. */
  outcome = 'OK';
  /** Whether the response precedes the end of the request body. The connection is then closed. */
  isEarly = false;
  /** Records the request before the connection closes. Set by the request handler. */
  finish: (() => void) | undefined = undefined;
  /** Called once, when the response closes: it is sent or cut. */
  onClose: (() => void) | null = null;
  /** Set by `identified`. */
  caller: Caller | null = null;
  /** A text to register under its hash after it is validated. */
  registration: { readonly sha256: string; readonly text: string } | null = null;
  /** Called once, with the first result that shows that the DMS accepts the credentials of the caller. */
  onAccepted: (() => void) | null = null;

  /** Set by `useTelemetry`; null while the gateway itself records the request. */
  record: RecordRequest | null = null;

  /* For resolvers; set before an operation runs. */
  runAs: string | null = null;
  team: GatewayContext['team'] = null;
  languages: readonly string[] = [];
  fileUrlOf!: GatewayContext['fileUrlOf'];
  fileUrl!: GatewayContext['fileUrl'];
  dms!: GatewayContext['dms'];
  loaders!: GatewayContext['loaders'];
  live: GatewayContext['live'] = null;
  maxListFields = 0;
  listFields = 0;
  incremental: GatewayContext['incremental'] = null;

  /* Yoga's own. */
  request!: Request;
  params!: GraphQLParams;
  waitUntil!: (promise: Promise<void> | void) => void;

  constructor(kind: RequestKind, req: IncomingMessage, res: ServerResponse, pipeline: Pipeline) {
    this.kind = kind;
    this.pipeline = pipeline;
    this.memory = pipeline.createClaim();
    this.req = req;
    this.res = res;
    this.connection = new ClientConnection(res);
    const given = req.headers['x-request-id'];
    this.id = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  }

  /** Sets who sent the request, and counts it for that caller. @throws {HttpError} 503 if too many are in progress */
  identified(caller: Caller): void {
    this.caller = caller;
    this.memory.moveTo(caller.key);
  }

  /** Whether the client disconnected before it received the complete response. Failures are then not logged. */
  get isAbandoned(): boolean {
    return this.connection.aborted && this.cutBy === null;
  }

  /**
   * The error that has cut the response. Null if there is none: if a client that pipelines disconnects, Node sets
   * ECONNRESET on the responses that wait for an earlier one.
   */
  get cutBy(): Error | null {
    const { errored } = this.res;
    if (!(errored instanceof Error)) return null;
    return 'code' in errored && errored.code === 'ECONNRESET' ? null : errored;
  }
}
