import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';

interface PagerProps {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Number of pages. Null if the DMS does not report a total. */
  readonly pageCount: number | null;
  readonly hasNextPage: boolean;
}

/** Links to the other pages of a list. Each page has a URL. */
export function Pager({ page, pageCount, hasNextPage }: PagerProps) {
  const t = useText();
  const format = useFormat();
  const current = useRef<HTMLSpanElement>(null);
  const shownPage = useRef(page);
  useEffect(() => {
    if (shownPage.current === page) return;
    shownPage.current = page;
    // The link that was pressed does not exist on the first and on the last page.
    if (document.activeElement === document.body) current.current?.focus();
  }, [page]);
  if (page === 1 && !hasNextPage) return null;
  return (
    <nav className="row" aria-label={t('Pages')}>
      <PageLink to={1} isEnabled={page > 1}>
        {t('First')}
      </PageLink>
      <PageLink to={page - 1} isEnabled={page > 1}>
        {t('Previous')}
      </PageLink>
      <span ref={current} aria-current="page" tabIndex={-1}>
        {pageCount === null
          ? t('Page {page}', { page: format.count(page) })
          : t('Page {page} of {count}', {
              page: format.count(page),
              count: format.count(pageCount),
            })}
      </span>
      <PageLink to={page + 1} isEnabled={hasNextPage}>
        {t('Next')}
      </PageLink>
      {pageCount !== null && (
        <PageLink to={pageCount} isEnabled={page < pageCount}>
          {t('Last')}
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
