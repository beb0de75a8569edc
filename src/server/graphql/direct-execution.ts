import type { ExecutionResult } from 'graphql';
import type { YogaServerInstance } from 'graphql-yoga';
import { acceptableFor } from '../http/negotiation.ts';
import { serializeResult } from './serialize-result.ts';
import type { BodyLimits } from '../http/json-body.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { LightRequest } from '../http/fetch-api.ts';
import { OperationContext } from './operation-context.ts';
import { send } from '../http/respond.ts';
import type { GatewayPlugin, PluginDependencies } from './plugins.ts';
import { identify } from './plugins/use-identity.ts';
import { isJson, readJsonParams } from './plugins/use-request-parser.ts';
import { withUpstreamTrace } from './plugins/use-upstream-trace.ts';
import { jsonAnswer, resultForClient, wholeResult } from './plugins/use-response.ts';

/** Yoga's plugin hooks that see the HTTP request or response, or that can add such plugins. */
const httpHooks = [
  'onPluginInit',
  'onYogaInit',
  'onRequest',
  'onRequestParse',
  'onResultProcess',
  'onResponse',
  'instrumentation',
];

/** Whether no added plugin has a hook that sees HTTP. */
export function allowsDirectExecution(added: readonly GatewayPlugin[]): boolean {
  return !added.some((plugin) => httpHooks.some((hook) => hook in plugin));
}

/**
 * Whether a request is a JSON POST whose client accepts a single JSON response. This applies to nearly all requests.
 */
export function isDirectRequest({ req }: HttpExchange): boolean {
  if (req.method !== 'POST' || !isJson(req)) return false;
  const { whole, parts } = acceptableFor(req.headers.accept);
  return whole !== null && !parts;
}

/**
 * Executes a JSON request without Yoga's HTTP hooks. Only the gateway's own plugins have such hooks, and this function
 * calls the same functions in the same order. Parameters, parsing, validation, context and execution use Yoga and all
 * its plugins.
 */
export async function executeDirectly(
  getResultForParams: YogaServerInstance<OperationContext, object>['getResultForParams'],
  exchange: HttpExchange,
  limits: BodyLimits & { readonly maxResponseBytes: number },
  { identity, log, recordOperation }: PluginDependencies,
): Promise<void> {
  const context = new OperationContext(exchange);
  exchange.record = (ms) => recordOperation(context, ms);
  const { req, connection } = exchange;
  const mediaType = acceptableFor(req.headers.accept).whole ?? 'application/json';
  let result: ExecutionResult;
  try {
    await identify(context, identity);
    const params = await readJsonParams(context, limits);
    const { method = '', headers } = req;
    const url = `http://${headers.host ?? 'localhost'}${req.url}`;
    const signal = (): AbortSignal => connection.toAbortSignal();
    const request = new LightRequest(url, { method, headers, signal, body: req });
    context.request = request as unknown as Request;
    const answer = await getResultForParams({ request: context.request, params }, context);
    result = wholeResult(answer as ExecutionResult);
  } catch (error) {
    result = { errors: [error as never] };
  }
  const traced = withUpstreamTrace(result, context);
  const shown = resultForClient(traced, context, log, mediaType);
  const { status, headers, result: rest } = jsonAnswer(shown, mediaType);
  const text = serializeResult(rest, context, log, limits.maxResponseBytes);
  send(exchange, status, headers, typeof text === 'string' ? text : await text);
}
