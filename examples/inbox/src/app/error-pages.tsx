import { Link, useRouteError } from 'react-router';
import { Page } from './page.tsx';
import { useText } from '../language/text.ts';

export function NotFoundPage() {
  const t = useText();
  return (
    <Page title={t('Page not found')}>
      <p>
        {t('There is no page at this URL.')}{' '}
        <Link to="/app/views/inbox">{t('Go to the inbox')}</Link>
      </p>
    </Page>
  );
}

export function CrashPage() {
  const t = useText();
  const error = useRouteError();
  return (
    <main className="crash card stack">
      <h1>{t('The page cannot be shown')}</h1>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p>
        {/* A plain link, which loads the application again. */}
        <a href="/app/views/inbox">{t('Try again')}</a>
      </p>
    </main>
  );
}
