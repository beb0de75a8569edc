import { onTestFinished } from 'vitest';
import { RequestBudget } from '../../src/rest/client/limits/request-budget.ts';
import type { Caller } from '../../src/rest/client/caller.ts';
import type { RequestBudgetOptions } from '../../src/rest/client/limits/request-budget.ts';
import { Dms } from '../../src/rest/dms.ts';
import { HttpClient } from '../../src/rest/client/http-client.ts';
import type { HttpClientOptions } from '../../src/rest/client/http-client.ts';
import type { HttpObserver } from '../../src/rest/client/observer.ts';
import {
  createMockDms,
  mockOrigin,
  type InProcessMockDms as MockDms,
} from '../../src/testing/mock-dms.ts';

export { createMockDms, type MockDms };

/** The REST client with defaults for tests: no cache and no retries. */
export function testHttp(
  { dispatcher }: Pick<MockDms, 'dispatcher'>,
  options: Partial<HttpClientOptions> = {},
  observer: Partial<HttpObserver> = {},
): HttpClient {
  return new HttpClient({ ...testHttpOptions, ...options }, observer, dispatcher);
}

export const testHttpOptions: HttpClientOptions = {
  baseUrl: mockOrigin,
  runAsHeader: 'svc-run-as',
  timeoutMs: 60_000, // no call of a busy machine is late
  retries: 0,
  connections: 16,
  projection: true,
  cacheTtlMs: 0,
};

export function testCaller(caller: Partial<Caller> = {}): Caller {
  return { key: 'ann', runAs: null, authorization: 'Bearer test', ...caller };
}

export function testBudget(options: Partial<RequestBudgetOptions> = {}): RequestBudget {
  return new RequestBudget({
    requestId: 'request-1',
    signal: new AbortController().signal,
    timeoutMs: 120_000,
    maxCalls: 100,
    maxInFlight: 32,
    ...options,
  });
}

/** A REST client with a mocked DMS, for one caller and one operation. */
export function testDms(
  mock: Pick<MockDms, 'dispatcher'>,
  options: Partial<HttpClientOptions> = {},
): Dms {
  return new Dms(testHttp(mock, options), testCaller(), testBudget());
}

/** Options of a REST client, and limits of its operation. */
export interface DmsOptions {
  readonly http?: Partial<HttpClientOptions>;
  readonly budget?: Partial<RequestBudgetOptions>;
}

/** A REST client of a real server, for one caller and one operation. It is closed when the test ends. */
export function dmsAt(
  { url }: { readonly url: string },
  { http, budget }: DmsOptions = {},
  observer: Partial<HttpObserver> = {},
): Dms {
  const client = new HttpClient({ ...testHttpOptions, baseUrl: url, ...http }, observer);
  onTestFinished(() => client.close());
  return new Dms(client, testCaller(), testBudget(budget));
}
