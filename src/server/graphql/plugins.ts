import type { GraphQLSchema } from 'graphql';
import type { HttpClient } from '../../rest/index.ts';
import type { SchemaForms } from '../../schema/extend.ts';
import type { Executor } from '../../schema/plan/operation-plan.ts';
import type { OpenFeatures } from '../feature.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { Settings } from '../../config/read-config.ts';
import type { Identity } from '../identity/index.ts';
import type { KeyFetchOptions } from '../identity/issuer-keys.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { useExecution, useOperation } from './plugins/use-operation.ts';
import { useQueryDocuments } from './plugins/use-query-documents.ts';
import {
  useAccept,
  useCsrf,
  useIdentity,
  useRequestParser,
  useUnknownPath,
} from './plugins/use-request.ts';
import { useResponse } from './plugins/use-response.ts';

export interface GraphQLDependencies {
  readonly http: HttpClient;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly features?: OpenFeatures;
  readonly forms?: SchemaForms | null | undefined;
  readonly schema: () => Promise<GraphQLSchema>;
  readonly executor?: Executor | null | undefined;
  readonly keyFetch?: KeyFetchOptions;
}

export interface PluginDependencies extends GraphQLDependencies {
  readonly identity: Identity;
  readonly featurePlugins: readonly object[];
  readonly fileUrlOf: (exchange: HttpExchange, path: string) => string;
}

export function createPlugins(settings: Settings, dependencies: PluginDependencies): object[] {
  const { http, log, identity, featurePlugins, fileUrlOf } = dependencies;
  const { features, forms = null, executor = null } = dependencies;
  const teamPlugins = features?.teamPlugins ?? [];
  const hasGuardedPlugins = teamPlugins.length > 0;
  return [
    // Before the body is read: negotiate the response type, identify the user, and reject cross-site requests.
    useAccept(),
    useIdentity(identity),
    useRequestParser(settings),
    useCsrf(),
    // After validation: create budget, deadline and context, and select the executor.
    useOperation(http, { ...settings, forms }, hasGuardedPlugins, fileUrlOf),
    ...featurePlugins,
    useExecution(executor, hasGuardedPlugins),
    // After these, so that they find a complete context and can wrap the execution.
    ...teamPlugins,
    useUnknownPath(),
    // After those plugins, so that their validation rules apply, and all results and errors pass through here.
    useQueryDocuments(settings),
    // The last one sees the results of all others.
    useResponse(log),
  ];
}
