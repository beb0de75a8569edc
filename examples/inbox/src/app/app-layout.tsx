import { Link, Outlet, ScrollRestoration } from 'react-router';
import { personHash } from '../../../ui/playground-link.ts';
import { Icon } from '../../../ui/icon.tsx';
import { DelayedActionToast } from '../features/actions/delayed-action-toast.tsx';
import { LateResultNotice } from '../features/actions/late-result.tsx';
import { ConnectionBanner } from '../features/connection/connection-banner.tsx';
import { KeyboardHelp, KeyboardHelpButton } from '../features/keyboard/keyboard-help.tsx';
import { PersonMenu } from '../features/session/person-menu.tsx';
import { useSessionState } from '../features/session/session-context.tsx';
import { TraceButton, TraceDrawer } from '../features/trace/trace-drawer.tsx';
import { ViewNavigation } from '../features/views/view-navigation.tsx';
import { LanguageMenu } from '../language/language-menu.tsx';
import { useText } from '../language/text.ts';
import { Announcer } from './announcer.tsx';
import './app-layout.css';

export function AppLayout() {
  const t = useText();
  const { personId } = useSessionState();
  return (
    <Announcer>
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <header className="header">
        <Link className="brand" to="/app/views/inbox">
          DMS gateway
        </Link>
        <Link className="button button-primary app-new" to="/app/new">
          <Icon name="plus" />
          <span>{t('New document')}</span>
        </Link>
        <AppMenu />
      </header>
      <div className="app">
        <ViewNavigation />
        <main id="main" tabIndex={-1} className="app-main">
          <ConnectionBanner />
          <LateResultNotice />
          {/* The key removes what one person has typed and opened when another one is chosen. */}
          <Outlet key={personId} />
        </main>
      </div>
      <DelayedActionToast />
      <TraceDrawer />
      <KeyboardHelp />
      {/* The first page of a load has no key of its own: each address has its position. */}
      <ScrollRestoration getKey={({ key, pathname }) => (key === 'default' ? pathname : key)} />
    </Announcer>
  );
}

function AppMenu() {
  const t = useText();
  const { personId } = useSessionState();
  return (
    <>
      <button
        type="button"
        className="button button-quiet button-icon app-menu-button"
        popoverTarget="app-menu"
        aria-label={t('Menu')}
      >
        <Icon name="menu" />
      </button>
      <div id="app-menu" popover="auto" className="app-menu inline-popover">
        <PersonMenu />
        <LanguageMenu />
        <KeyboardHelpButton />
        <TraceButton />
        <a className="button button-quiet" href={`/graphql${personHash(personId)}`}>
          <Icon name="play" />
          <span>{t('Playground')}</span>
        </a>
      </div>
    </>
  );
}
