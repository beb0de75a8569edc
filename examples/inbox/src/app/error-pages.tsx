import { Link, useRouteError } from 'react-router';
import { Page } from './page.tsx';

/** Shown for a URL without a route. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p>
        There is no page at this URL. Go to the <Link to="/app/views/inbox">inbox</Link>.
      </p>
    </Page>
  );
}

/** Shown if rendering fails: an error of this application, not of the gateway. */
export function CrashPage() {
  const error = useRouteError();
  return (
    <main className="crash card stack">
      <h1>The page cannot be shown</h1>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p>
        {/* A plain link, which loads the application again. */}
        <a href="/app/views/inbox">Start again</a>
      </p>
    </main>
  );
}
