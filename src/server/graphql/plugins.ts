import type { GatewayContext } from '../../context.ts';
import type { Caller } from '../../rest/client/upstream-call.ts';
import type { Live } from '../../live/index.ts';
import type { HttpClient } from '../../rest/client/http-client.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { GatewayOptions } from '../options.ts';
import type { Identity } from '../identity/index.ts';
import type { Log } from '../telemetry/log.ts';
import type { ResultStreams } from './result-streams.ts';
import { useCompiledExecution } from './compiled-operations.ts';
import { useOperation } from './plugins/use-operation.ts';
import { useQueryDocuments } from './plugins/use-query-documents.ts';
import { useAccept, useCsrf, useIdentity, useRequestParser } from './plugins/use-request.ts';
import { useResponse } from './plugins/use-response.ts';
import { useTeamContext, type CreateTeamContext } from './plugins/use-team-context.ts';
import type { OperationContext } from './operation-context.ts';
import {
  usePersistedDocuments,
  useUnknownDocuments,
  type PersistedDocuments,
} from './persisted/persisted-documents.ts';
import { useSubscriptions } from './plugins/use-subscriptions.ts';

/** A plugin of Yoga or Envelop. Their types depend on the context that they expect, so no common type exists. */
export type GatewayPlugin = object;

/** The parts of the gateway that plugins use. */
export interface PluginDependencies {
  readonly http: HttpClient;
  readonly log: Log;
  /** Counts and logs an operation whose response has closed, `ms` after its request arrived. */
  readonly recordOperation: (context: OperationContext, ms: number) => void;
  readonly identity: Identity;
  readonly streams: ResultStreams;
  readonly live: Live;
  readonly persisted: PersistedDocuments;
  /** Returns the URL at which this gateway serves a file to a caller. */
  readonly fileUrlOf: (exchange: HttpExchange, caller: Caller, path: string) => string;
  /** Additional plugins. */
  readonly added: readonly GatewayPlugin[];
  /** Creates what a team adds to the context of a request. Default: none. */
  readonly createTeamContext?: CreateTeamContext | undefined;
  /** The forms of the schema. Null if none are declared. */
  readonly forms: GatewayContext['forms'];
}

/** Returns all plugins. In each phase of Yoga they run from top to bottom. */
export function createPlugins(
  options: GatewayOptions,
  dependencies: PluginDependencies,
): GatewayPlugin[] {
  const {
    http,
    log,
    identity,
    streams,
    live,
    persisted,
    fileUrlOf,
    added,
    createTeamContext,
    forms,
  } = dependencies;
  return [
    // Before the body is read: negotiate the response type, identify the user, and reject cross-site requests.
    useAccept(),
    useIdentity(identity),
    useRequestParser(options),
    useCsrf(),
    // After this plugin, others find the text of a document of which the request only contains the ID.
    usePersistedDocuments(persisted),
    ...(createTeamContext ? [useTeamContext(createTeamContext, log, options)] : []),
    // After validation: create budget, deadline and context, and select the executor.
    useOperation(http, { ...options, forms }, fileUrlOf),
    useSubscriptions(http, log, live, options),
    useCompiledExecution(options.compileAfter, added.length > 0),
    // After these, so that added plugins find a complete context and can wrap the execution.
    ...added,
    // After the added plugins, so that their validation rules apply, and all results and errors pass through here.
    useUnknownDocuments(persisted),
    useQueryDocuments(options, persisted),
    // The last one sees the results of all others.
    useResponse(log, streams, options, http.reference.ttlMs),
  ];
}
