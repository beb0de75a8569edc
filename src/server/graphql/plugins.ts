import type { GatewayContext } from '../../context.ts';
import type { Caller } from '../../rest/client/caller.ts';
import type { Live } from '../../live/index.ts';
import type { HttpClient } from '../../rest/client/http-client.ts';
import { useAccept } from './plugins/use-accept.ts';
import { useCsrf } from './plugins/use-csrf.ts';
import type { HttpExchange, RecordRequest } from '../http/http-exchange.ts';
import type { Identity } from '../identity/index.ts';
import type { Log } from '../telemetry/log.ts';
import type { ResultStreams } from './result-streams.ts';
import { useCompiledExecution } from './plugins/use-compiled-execution.ts';
import { useMultipartSubscriptions } from './plugins/use-multipart-subscriptions.ts';
import { useIdentity } from './plugins/use-identity.ts';
import { useOperation, type OperationLimits } from './plugins/use-operation.ts';
import { usePersistedDocuments, useUnknownDocuments } from './plugins/use-persisted-documents.ts';
import { useQueryDocuments, type QueryDocumentOptions } from './plugins/use-query-documents.ts';
import { useRequestParser } from './plugins/use-request-parser.ts';
import { useResponse } from './plugins/use-response.ts';
import { useTelemetry } from './plugins/use-telemetry.ts';
import { useUpstreamTrace } from './plugins/use-upstream-trace.ts';
import type {
  PersistedDocumentOptions,
  PersistedDocuments,
} from './persisted/persisted-documents.ts';
import { useSubscriptions, type SubscriptionOptions } from './plugins/use-subscriptions.ts';
import type { BodyLimits } from '../http/json-body.ts';
import type { UploadLimits } from '../files/multipart-reader.ts';

/** A plugin of Yoga or Envelop. They are typed by the context that they expect, and no two in the same way. */
export type GatewayPlugin = object;

export interface PluginOptions
  extends
    QueryDocumentOptions,
    OperationLimits,
    SubscriptionOptions,
    BodyLimits,
    UploadLimits,
    PersistedDocumentOptions {
  /** A query is compiled on its Nth execution; 0 disables compilation. */
  readonly compileAfter: number;
  /** Of one answer. */
  readonly maxResponseBytes: number;
  /** Time between two heartbeats of Apollo's protocol for subscriptions. Default 12 s. */
  readonly heartbeatMs?: number;
}

/** What plugins use of the rest of the gateway. */
export interface PluginDependencies {
  readonly http: HttpClient;
  readonly log: Log;
  /** Counts and logs an operation when its response has closed. */
  readonly recordOperation: RecordRequest;
  readonly identity: Identity;
  readonly streams: ResultStreams;
  readonly live: Live;
  readonly persisted: PersistedDocuments;
  /** The address at which this gateway serves a file to a caller. */
  readonly fileUrlFor: (exchange: HttpExchange, caller: Caller) => GatewayContext['fileUrl'];
  /** Plugins beside the gateway's own. */
  readonly added: readonly GatewayPlugin[];
}

/**
 * Everything that happens to a GraphQL request, in this order. In each phase of Yoga the plugins run from top to bottom.
 */
export function createPlugins(
  options: PluginOptions,
  dependencies: PluginDependencies,
): GatewayPlugin[] {
  const { http, log, recordOperation, identity, streams, live, persisted, fileUrlFor, added } =
    dependencies;
  return [
    // First, so that a request that any other plugin rejects or answers is counted and logged too. gateway.ts records the
    // requests that do not reach Yoga: files, health checks, and what it rejects itself.
    useTelemetry(recordOperation),
    // Before a byte of the body is read: whether there is an answer that the client accepts, who asks, and whether a page
    // of another site made the browser ask.
    useAccept(),
    useIdentity(identity),
    useRequestParser(options),
    useCsrf(),
    // Behind it, plugins find the text of a document that the request only names.
    usePersistedDocuments(persisted),
    // Once the operation is known to be valid: its budget, deadline and context, and how it is executed.
    useOperation(http, options, fileUrlFor),
    useSubscriptions(http, log, live, options),
    useCompiledExecution(options.compileAfter),
    // Behind these, so that they find a complete context and can wrap the execution.
    ...added,
    // Behind the added ones, so that their validation rules count.
    useUnknownDocuments(persisted),
    useQueryDocuments(options, persisted),
    useMultipartSubscriptions(options.heartbeatMs),
    // The last two see the results of all others: the list of upstream calls, then masked errors and the written response.
    useUpstreamTrace(),
    useResponse(log, streams, options.maxResponseBytes),
  ];
}
