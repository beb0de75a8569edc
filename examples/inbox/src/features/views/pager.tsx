import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Icon, type IconName } from '../../../../ui/icon.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { pageSize, type DocumentListState } from './use-document-list.ts';

interface PagerProps {
  readonly page: number;
  readonly list: DocumentListState;
}

export function Pager({ page, list: { documents } }: PagerProps) {
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
  const hasNextPage = documents?.pageInfo.hasNextPage === true;
  if (!documents || (page === 1 && !hasNextPage)) return null;
  const { totalCount } = documents;
  const pageCount = totalCount === null ? null : Math.ceil(totalCount / pageSize);
  return (
    <nav className="pager" aria-label={t('Pages')}>
      <PageLink to={1} isEnabled={page > 1} icon="first" label={t('First')} />
      <PageLink to={page - 1} isEnabled={page > 1} icon="previous" label={t('Previous')} />
      <span ref={current} aria-current="page" tabIndex={-1}>
        {pageCount === null
          ? t('Page {page}', { page: format.count(page) })
          : t('Page {page} of {count}', {
              page: format.count(page),
              count: format.count(pageCount),
            })}
      </span>
      <PageLink to={page + 1} isEnabled={hasNextPage} icon="next" label={t('Next')} />
      {pageCount !== null && (
        <PageLink to={pageCount} isEnabled={page < pageCount} icon="last" label={t('Last')} />
      )}
    </nav>
  );
}

interface PageLinkProps {
  readonly to: number;
  readonly isEnabled: boolean;
  readonly icon: IconName;
  readonly label: string;
}

function PageLink({ to, isEnabled, icon, label }: PageLinkProps) {
  const [params] = useSearchParams();
  const className = 'button button-quiet button-icon';
  if (!isEnabled) {
    return (
      <span className={className} aria-disabled="true">
        <Icon name={icon} />
      </span>
    );
  }
  const target = new URLSearchParams(params);
  if (to === 1) target.delete('page');
  else target.set('page', `${to}`);
  return (
    <Link
      className={className}
      aria-label={label}
      title={label}
      to={{ search: target.toString() }}
      preventScrollReset
    >
      <Icon name={icon} />
    </Link>
  );
}
