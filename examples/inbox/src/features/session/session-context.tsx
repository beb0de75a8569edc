import { ApolloProvider } from '@apollo/client/react';
import { createContext, useContext, type ReactNode } from 'react';
import { useStore, type Store } from '../../../../ui/store.ts';
import type { PersonClient } from './client-of-session.ts';
import type { Session } from '../../../../ui/session.ts';

const SessionContext = createContext<Session | null>(null);

interface SessionProviderProps {
  readonly session: Session;
  readonly clients: Store<PersonClient>;
  readonly children: ReactNode;
}

export function SessionProvider({ session, clients, children }: SessionProviderProps) {
  const { client } = useStore(clients);
  return (
    <SessionContext value={session}>
      <ApolloProvider client={client}>{children}</ApolloProvider>
    </SessionContext>
  );
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is no SessionProvider.');
  return session;
}

export function useSessionState() {
  return useStore(useSession().state);
}
