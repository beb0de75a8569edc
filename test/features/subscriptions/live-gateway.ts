import { expect } from 'vitest';
import { startGateway, type TestGatewayOptions } from '../../helpers/gateway.ts';
import { createSubscriptions } from '../../../src/features/subscriptions/index.ts';
import { subscribe } from '../../helpers/subscriber.ts';
import { createLiveClock } from './live-clock.ts';

export const documentA = 'aaaaaaaaaaaaaaaaaaaaaaaa';
export const documentB = 'bbbbbbbbbbbbbbbbbbbbbbbb';
export const documentC = 'cccccccccccccccccccccccc';

/** What a poll of a document is, as the mocked DMS receives it. */
export const pollOf = (id: string): string => `GET /api/v2/docForm/${id}?fields=_id,_meta`;
/** What a selection of `state` alone reads. */
export const readOf = (id: string): string => `GET /api/v2/docForm/${id}?fields=_id,state`;
/** What a poll of the inbox is. */
export const pollOfInbox = (pageSize: number): string =>
  `GET /api/v2/docForm/view/inbox?first=0&pageSize=${pageSize}&fields=_id,_meta`;

/** The client's own headers decide who asks. */
export const passthrough = { identity: { mode: 'passthrough' as const }, credential: null };

interface LiveGatewayOptions extends TestGatewayOptions {
  /** Time between two heartbeats of Apollo's protocol. */
  readonly heartbeatMs?: number;
}

/**
 * A gateway whose polls run when the test says so, and a DMS with documents that the test changes. The inbox holds all
 * of them.
 */
export async function startLive({ heartbeatMs, ...options }: LiveGatewayOptions = {}) {
  const clock = createLiveClock();
  const timing = { clock, ...(heartbeatMs && { heartbeatMs }) };
  const gateway = await startGateway({
    ...options,
    features: [createSubscriptions(timing), ...(options.features ?? [])],
  });
  const { dms } = gateway;
  const documents = new Map([[documentA, { revision: 1, state: 1 }]]);
  const wireOf = (id: string) => {
    const { revision, state } = documents.get(id)!;
    return { _id: id, _web: id.slice(0, 3), _meta: { _rev: revision }, state };
  };
  dms.reply('GET', /\/docForm\/[^/]+$/, ({ path }) => {
    const [, id = ''] = /docForm\/([\w-]+)/.exec(path) ?? [];
    return wireOf(id === 'DOC-1' ? documentA : id);
  });
  dms.reply('GET', /\/docForm\/view\/inbox/, ({ path }) => {
    const size = Number(/pageSize=(\d+)/.exec(path)?.[1]);
    return [...documents.keys()].slice(0, size).map(wireOf);
  });
  const poll = async (ms = 5000): Promise<void> => {
    const watches = clock.waits().length;
    clock.advance(ms);
    await expect.poll(() => clock.waits().length).toBe(watches);
  };
  return {
    gateway,
    dms,
    clock,
    documents,
    requests: dms.requests,
    /** Writes a document past the gateway. */
    change(id: string, state: number): void {
      documents.set(id, { revision: (documents.get(id)?.revision ?? 0) + 1, state });
    },
    /** Lets all polls of one interval happen, and waits until the next ones are scheduled. */
    poll,
  };
}

/** Subscribes, and waits for the first event. */
export async function startSubscriber(...options: Parameters<typeof subscribe>) {
  const subscriber = await subscribe(...options);
  await expect.poll(() => subscriber.results).toHaveLength(1);
  return subscriber;
}
