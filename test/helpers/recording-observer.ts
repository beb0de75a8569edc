import type { Feature } from '../../src/server/feature.ts';
import type { CallObserver } from '../../src/rest/client/observer.ts';
import type { RequestObserver } from '../../src/server/http/request-observer.ts';

/** A feature that records what it observes of requests and their calls. Each call has the header `x-observed`. */
export function recordRequests() {
  const events: string[] = [];
  const callsOf = (parent: string): CallObserver => ({
    startCall({ method, route, label }, attempt) {
      events.push(`${parent}: ${method} ${route} for ${label}, attempt ${attempt}`);
      return {
        headers: ['x-observed', parent],
        end: (status, code) => events.push(`${parent}: call ended with ${status}, ${code}`),
      };
    },
    cachedRead: (resource, cache) => events.push(`${parent}: ${resource} from ${cache}`),
    sharedRead: ({ label }) => events.push(`${parent}: shared ${label}`),
  });
  const requestObserver = {
    otherCalls: callsOf('poll'),
    startRequest({ method }: { readonly method?: string | undefined }, route: string | null) {
      events.push(`request: ${method} ${route}`);
      return {
        logFields: { observed: 'yes' },
        calls: callsOf('request'),
        setRoute: (template: string) => events.push(`request: is for ${template}`),
        startOperation({ operationName, operationType }, earlierOutcome) {
          events.push(`operation: ${operationType} ${operationName} after ${earlierOutcome}`);
          return callsOf('operation');
        },
        partSent: () => events.push('operation: part sent'),
        startEvent({ operationName }) {
          events.push(`event: of ${operationName}`);
          return {
            calls: callsOf('event'),
            end: (outcome) => events.push(`event: ended with ${outcome}`),
          };
        },
        end: (status, outcome, isComplete) =>
          events.push(`request: ended with ${status}, ${outcome}, complete: ${isComplete}`),
      };
    },
  } satisfies RequestObserver;
  const feature: Feature = {
    name: 'recorder',
    open: async () => ({ observers: [requestObserver] }),
  };
  return { events, requestObserver, feature };
}
