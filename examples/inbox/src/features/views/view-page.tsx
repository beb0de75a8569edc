import { useRef } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { NotFoundPage } from '../../app/error-pages.tsx';
import { Page } from '../../app/page.tsx';
import { viewOf, type View } from '../../domain/view.ts';
import { useText } from '../../language/text.ts';
import { DocumentFilters } from './document-filters.tsx';
import { DocumentList } from './document-list.tsx';
import { paramsOfFilter } from './filter-state.ts';
import { useRememberView } from './last-view.tsx';
import { ListSummary } from './list-summary.tsx';
import { Pager } from './pager.tsx';
import { positionFromParams, useDocumentList } from './use-document-list.ts';

export function ViewPage() {
  const view = viewOf(useParams()['view']);
  return view === undefined ? <NotFoundPage /> : <KnownViewPage view={view} />;
}

function KnownViewPage({ view }: { readonly view: View }) {
  const t = useText();
  const [params, setParams] = useSearchParams();
  const region = useRef<HTMLElement>(null);
  const position = positionFromParams(view, params);
  const { filter, order, page } = position;
  const list = useDocumentList(position);
  useRememberView(view.slug + useLocation().search, position, list.documents?.nodes);
  return (
    <Page
      title={t(view.label)}
      aside={<ListSummary label={t(view.label)} page={page} list={list} />}
    >
      <DocumentFilters
        key={view.slug}
        filter={filter}
        totalCount={list.isStale ? null : (list.documents?.totalCount ?? null)}
        onChange={(changed) => {
          const next = paramsOfFilter(changed);
          if (order !== null) next.set('order', order);
          setParams(next);
        }}
      />
      <section ref={region} tabIndex={-1} className="stack" aria-label={t('Documents')}>
        <DocumentList
          {...position}
          list={list}
          onClearFilter={() => setParams({})}
          region={region}
        />
      </section>
      <div className="list-foot">
        <Pager page={page} list={list} />
      </div>
    </Page>
  );
}
