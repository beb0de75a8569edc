import { Link, Outlet, ScrollRestoration } from 'react-router';
import { LateResultNotice } from '../features/actions/late-result.tsx';
import { ViewNavigation } from '../features/views/view-navigation.tsx';
import { ConnectionBanner } from '../features/connection/connection-banner.tsx';
import { PersonMenu } from '../features/session/person-menu.tsx';
import { useSessionState } from '../features/session/session-context.tsx';
import { TraceDrawer } from '../features/trace/trace-drawer.tsx';
import { LanguageMenu } from '../language/language-menu.tsx';
import { Announcer } from './announcer.tsx';
import { useText } from '../language/text.ts';
import './app-layout.css';

/** The frame of every page: skip link, header, navigation and main region. */
export function AppLayout() {
  const t = useText();
  const { personId } = useSessionState();
  return (
    <Announcer>
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <header className="app-header">
        <Link className="app-name" to="/app/views/inbox">
          <AppIcon />
          {t('Documents')}
        </Link>
        <div className="row app-menu">
          <PersonMenu />
          <LanguageMenu />
          <TraceDrawer />
          <a className="button" href="/graphql">
            {t('Playground')}
          </a>
        </div>
      </header>
      <div className="app-body">
        <ViewNavigation />
        <main id="main" tabIndex={-1} className="app-main">
          <ConnectionBanner />
          <LateResultNotice />
          {/* The key removes what one person has typed and opened when another one is chosen. */}
          <Outlet key={personId} />
        </main>
      </div>
      <ScrollRestoration />
    </Announcer>
  );
}

function AppIcon() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="app-icon-tile" />
      <path
        className="app-icon-tray"
        d="M8 9h16l2 9v5a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-5zm0 9h4.5a3.5 3.5 0 0 0 7 0H24"
      />
    </svg>
  );
}
