import { useRef } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { NotFoundPage } from '../../app/error-pages.tsx';
import { Page } from '../../app/page.tsx';
import { viewOf, type View } from '../../domain/view.ts';
import { DocumentFilters } from './document-filters.tsx';
import { DocumentList } from './document-list.tsx';
import { filterFromParams, paramsOfFilter } from './filter-state.ts';
import { useText } from '../../language/text.ts';

/** A view with its filter and its pages. The URL has all of them. */
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
  return (
    <Page
      title={t(view.label)}
      aside={
        <Link className="button button-primary" to="/app/new">
          {t('New document')}
        </Link>
      }
    >
      <DocumentFilters
        key={view.slug}
        filter={filter}
        onChange={(changed) => setParams(paramsOfFilter(changed))}
      />
      <section ref={region} tabIndex={-1} className="stack" aria-label={t('Documents')}>
        <DocumentList
          view={view}
          filter={filter}
          page={page}
          onClearFilter={() => setParams({})}
          region={region}
        />
      </section>
    </Page>
  );
}
