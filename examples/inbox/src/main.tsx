// First: a feature can change what these have.
import '../../ui/tokens.css';
import '../../ui/base.css';
import './styles/base.css';
import '../../ui/components.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { createApolloClient } from './app/apollo-client.ts';
import { createRouter } from './app/router.tsx';
import { createClientOfSession } from './features/session/client-of-session.ts';
import { refuseFiles } from '../../ui/refuse-files.ts';
import { createSession } from '../../ui/session.ts';
import { SessionProvider } from './features/session/session-context.tsx';
import { markDocument } from './language/language.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the ID "root".');
markDocument();
refuseFiles();
const session = createSession('/sandbox/people');
void session.renew().catch(() => {}); // the next request tries again
const clients = createClientOfSession(session, (personId) => createApolloClient(session, personId));
createRoot(root).render(
  <StrictMode>
    <SessionProvider session={session} clients={clients}>
      {/* A navigation is shown with what is chosen with it, such as another person. */}
      <RouterProvider router={createRouter()} useTransitions={false} />
    </SessionProvider>
  </StrictMode>,
);
