import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createSharedState } from '../../../src/features/redis/shared-state.ts';

export const secret = 'a secret of more than 32 characters, for tests';
export const baseUrl = 'http://dms.test';

export type ReplicaOptions = Partial<Parameters<typeof createSharedState>[0]>;

/** What one of several gateways shares. It waits longer for Redis than a busy machine needs. */
export function startSharedState(url: string, options: ReplicaOptions) {
  const shared = createSharedState({
    secret,
    baseUrl,
    cacheTtlMs: 60_000,
    maxWaitMs: 20_000,
    maxConnectMs: 20_000,
    retryMs: 50,
    replica: randomUUID(),
    onWritten() {},
    onChange() {},
    ...options,
    url,
  });
  onTestFinished(() => shared.close());
  return shared;
}
