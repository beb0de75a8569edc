import { useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { mutationsInFlight } from '../../client/mutations-in-flight.ts';
import { useStore } from '../../../../ui/store.ts';
import type { View } from '../../domain/view.ts';
import { graphql } from '../../gql/index.ts';

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

/**
 * Returns the number of documents of a view. Null: not known.
 *
 * @param isReader whether to read the numbers, and again after each action of the user
 */
export function useViewCounts(isReader = false): (view: View) => number | null {
  const isWriting = useStore(mutationsInFlight) > 0;
  const hasWritten = useRef(false);
  const { data, refetch } = useQuery(viewCountsQuery, {
    fetchPolicy: isReader ? 'cache-and-network' : 'cache-only',
  });
  useEffect(() => {
    if (isReader && hasWritten.current && !isWriting) refetch().catch(() => {}); // the old numbers stay
    hasWritten.current = isWriting;
  }, [isReader, isWriting, refetch]);
  return ({ value }) => data?.[value]?.totalCount ?? null;
}
