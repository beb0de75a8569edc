import { useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { NotFoundPage } from '../../app/error-pages.tsx';
import { Page } from '../../app/page.tsx';
import { viewOf, type View } from '../../domain/view.ts';
import { useText } from '../../language/text.ts';
import { DocumentFilters } from './document-filters.tsx';
import { DocumentList } from './document-list.tsx';
import { filterFromParams, paramsOfFilter } from './filter-state.ts';
import { orderFromParams } from './list-order.ts';
import { useRememberView } from './last-view.tsx';
import { ListPager, ListSummary } from './list-summary.tsx';
import { useDocumentList } from './use-document-list.ts';

export function ViewPage() {
  const view = viewOf(useParams()['view']);
  return view === undefined ? <NotFoundPage /> : <KnownViewPage view={view} />;
}

function KnownViewPage({ view }: { readonly view: View }) {
  const t = useText();
  const [params, setParams] = useSearchParams();
  const region = useRef<HTMLElement>(null);
  const filter = filterFromParams(params);
  const pageText = params.get('page') ?? '1';
  const page = /^[1-9]\d{0,6}$/.test(pageText) ? Number(pageText) : 1;
  const order = orderFromParams(params);
  const position = { view, filter, order, page };
  const list = useDocumentList(position);
  useRememberView(view, list.documents?.nodes ?? []);
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
        <ListPager page={page} list={list} />
      </div>
    </Page>
  );
}
