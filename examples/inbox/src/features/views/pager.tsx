import { Link, useSearchParams } from 'react-router';
import { formatCount } from '../../domain/format.ts';

interface PagerProps {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Number of pages. Null if the DMS does not report a total. */
  readonly pageCount: number | null;
  readonly hasNextPage: boolean;
}

/** Links to the other pages of a list. Each page has a URL. */
export function Pager({ page, pageCount, hasNextPage }: PagerProps) {
  if (page === 1 && !hasNextPage) return null;
  return (
    <nav className="row" aria-label="Pages">
      <PageLink to={1} isEnabled={page > 1}>
        First
      </PageLink>
      <PageLink to={page - 1} isEnabled={page > 1}>
        Previous
      </PageLink>
      <span aria-current="page">
        Page {formatCount(page)}
        {pageCount !== null && ` of ${formatCount(pageCount)}`}
      </span>
      <PageLink to={page + 1} isEnabled={hasNextPage}>
        Next
      </PageLink>
      {pageCount !== null && (
        <PageLink to={pageCount} isEnabled={page < pageCount}>
          Last
        </PageLink>
      )}
    </nav>
  );
}

interface PageLinkProps {
  readonly to: number;
  readonly isEnabled: boolean;
  readonly children: string;
}

function PageLink({ to, isEnabled, children }: PageLinkProps) {
  const [params] = useSearchParams();
  if (!isEnabled) {
    return (
      <span className="button" aria-disabled="true">
        {children}
      </span>
    );
  }
  const target = new URLSearchParams(params);
  if (to === 1) target.delete('page');
  else target.set('page', `${to}`);
  return (
    <Link className="button" to={{ search: target.toString() }} preventScrollReset>
      {children}
    </Link>
  );
}
