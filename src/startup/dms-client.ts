import type { Config } from '../config/read-config.ts';
import type { Credential } from '../model/identity.ts';
import type { Caller } from '../rest/client/upstream-call.ts';
import { HttpClient } from '../rest/client/http-client.ts';
import { RequestBudget } from '../rest/client/resilience/request-budget.ts';
import { createServiceAccount } from '../server/identity/service-account.ts';

/** Creates the REST client of a command, which sends one request at a time and neither repeats nor caches any. */
export function createCommandClient(
  baseUrl: string,
  { dmsTimeoutMs, runAsHeader }: Pick<Config, 'dmsTimeoutMs' | 'runAsHeader'>,
): HttpClient {
  return new HttpClient({
    baseUrl,
    runAsHeader,
    timeoutMs: dmsTimeoutMs,
    retries: 0,
    connections: 1,
    transferConnections: 1,
    fairShare: false,
    projection: true,
    cacheTtlMs: 0,
  });
}

/**
 * The caller of a command.
 *
 * @param credential null: requests have no credential
 * @param runAs null: the account of the credential alone
 */
export function createCommandCaller(credential: Credential | null, runAs: string | null): Caller {
  const account = credential && createServiceAccount(credential);
  return { ...(account ?? { authorize: () => null }), key: runAs ?? '', runAs };
}

/** The budget of a command. Each request has a limit of its own. */
export function createCommandBudget(): RequestBudget {
  return new RequestBudget({
    requestId: 'command',
    signal: new AbortController().signal,
    timeoutMs: 3_600_000,
    maxCalls: 100,
    maxInFlight: 1,
  });
}
