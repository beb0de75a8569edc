import { integer, maxDurationMs } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';
import type { LiveClock } from './watch.ts';

interface Timing {
  readonly clock?: LiveClock;
  readonly heartbeatMs?: number;
}

export function createSubscriptions(timing: Timing = {}) {
  return defineFeature({
    name: 'subscriptions',
    settings: {
      maxSubscriptions: integer(
        'MAX_SUBSCRIPTIONS',
        20,
        [0, 2000],
        'Maximum number of subscriptions per user. 0 disables subscriptions.',
        'if clients watch more, as with IDENTITY=service',
      ),
      livePollMs: integer(
        'LIVE_POLL_MS',
        5000,
        [100, maxDurationMs],
        'Interval between polls of a watched document or view.',
        'if changes must appear sooner',
      ),
    },
    schema: () => ({
      async transform(schema) {
        const { addSubscriptions } = await import('./subscription-schema.ts');
        return addSubscriptions(schema);
      },
    }),
    async open(settings, { log, metrics: { create } }) {
      const active = create.gauge('gateway_subscriptions_active', 'Subscriptions in progress.');
      const watches = create.gauge(
        'gateway_watches_active',
        'Objects of the DMS that are polled for subscriptions: one per user and document or view.',
      );
      const shutdown = new AbortController();
      return {
        async plugins({ http, requestObserver }) {
          const [{ Live }, { useSubscriptions }] = await Promise.all([
            import('./live.ts'),
            import('./use-subscriptions.ts'),
          ]);
          const options = {
            ...settings,
            ...timing,
            timeoutMs: settings.requestTimeoutMs,
            callObserver: requestObserver?.otherCalls ?? null,
          };
          const live = new Live(http, options, {
            subscriptionsChanged: (change) => active.inc(change),
            watchesChanged: (change) => watches.inc(change),
          });
          http.writes.on(({ document }) => {
            if (document !== null) live.documentWritten(document);
          });
          return [useSubscriptions(http, log, live, options, shutdown.signal)];
        },
        // Clients then connect to another replica.
        hooks: { onStopping: () => shutdown.abort() },
      };
    },
  });
}

export const subscriptions = createSubscriptions();
