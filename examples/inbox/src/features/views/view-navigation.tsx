import { useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { NavLink } from 'react-router';
import { mutationsInFlight } from '../../client/mutations-in-flight.ts';
import { useStore } from '../../client/store.ts';
import { Icon } from '../../components/icon.tsx';
import { views, type View } from '../../domain/view.ts';
import { graphql } from '../../gql/index.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import './view-navigation.css';

/** One request: the numbers of documents of all views. */
const viewCountsQuery = graphql(`
  query ViewCounts {
    INBOX: documents(view: INBOX, first: 1) {
      totalCount
    }
    MY_DOCS: documents(view: MY_DOCS, first: 1) {
      totalCount
    }
    REPOSITORY: documents(view: REPOSITORY, first: 1) {
      totalCount
    }
    ARCHIVE: documents(view: ARCHIVE, first: 1) {
      totalCount
    }
    ALL: documents(view: ALL, first: 1) {
      totalCount
    }
  }
`);

/** The navigation between the views, each with the number of its documents. */
export function ViewNavigation() {
  const t = useText();
  const format = useFormat();
  const countOf = useViewCounts();
  return (
    <nav className="view-navigation" aria-label={t('Views')}>
      <ul>
        {views.map((view) => {
          const count = countOf(view);
          return (
            <li key={view.slug}>
              <NavLink to={`/app/views/${view.slug}`}>
                <Icon name={view.icon} />
                <span>{t(view.label)}</span>
              </NavLink>
              <span className="view-count">{count === null ? '' : format.count(count)}</span>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Reads the numbers, and again after each action of the user. Null: not known. */
function useViewCounts(): (view: View) => number | null {
  const isWriting = useStore(mutationsInFlight) > 0;
  const hasWritten = useRef(false);
  const { data, refetch } = useQuery(viewCountsQuery, {
    fetchPolicy: 'cache-and-network',
  });
  useEffect(() => {
    if (hasWritten.current && !isWriting) refetch().catch(() => {}); // the old numbers stay
    hasWritten.current = isWriting;
  }, [isWriting, refetch]);
  return ({ value }) => data?.[value]?.totalCount ?? null;
}
