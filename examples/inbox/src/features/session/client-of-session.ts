import type { ApolloClient } from '@apollo/client';
import { areFormsDeclared } from '../../client/declared-forms.ts';
import { createStore, type Store } from '../../../../ui/store.ts';
import type { Session } from '../../../../ui/session.ts';

export interface PersonClient {
  readonly personId: string | null;
  readonly client: ApolloClient;
}

/**
 * Keeps one client per person: a choice replaces the client and its cache, so that no data and no running request of
 * one person can reach another one. The previous client ends its requests. The client is replaced, too, when the gateway
 * turns out not to know the forms.
 */
export function createClientOfSession(
  session: Session,
  createClient: (personId: string | null) => ApolloClient,
): Store<PersonClient> {
  const { personId } = session.state.get();
  const current = createStore<PersonClient>({ personId, client: createClient(personId) });
  const replace = (): void => {
    const before = current.get();
    const chosen = session.state.get().personId;
    current.set({ personId: chosen, client: createClient(chosen) });
    before.client.stop();
    before.client.cache.reset().catch(() => {});
  };
  session.state.subscribe(() => {
    if (session.state.get().personId !== current.get().personId) replace();
  });
  areFormsDeclared.subscribe(replace);
  return current;
}
