import { useQuery } from '@apollo/client/react';
import type { ComboboxOption } from '../../components/combobox.tsx';
import { graphql } from '../../gql/index.ts';
import { useSessionState } from '../session/session-context.tsx';

/** The DMS cannot list its people: those who have written the latest documents are known. */
const recentAuthorsQuery = graphql(`
  query RecentAuthors {
    documents(view: ALL, first: 100) {
      nodes {
        id
        author {
          id
          __typename
          systemId
          ... on Person {
            fullName
            unitName
          }
        }
      }
    }
  }
`);

interface People {
  /** In the order of their names. The value is the system ID. */
  readonly people: readonly ComboboxOption[];
  /** Returns the name of a person by system ID. Null: not known here. */
  readonly nameOf: (systemId: string) => string | null;
}

/** Returns the people to select from: recent authors, and those who can use the sandbox. */
export function usePeople(): People {
  const { people: sandboxPeople } = useSessionState();
  const { data } = useQuery(recentAuthorsQuery);
  const options = new Map<string, ComboboxOption>();
  for (const { author } of data?.documents?.nodes ?? []) {
    if (author?.__typename !== 'Person' || !author.fullName) continue;
    const { systemId, fullName, unitName } = author;
    options.set(systemId, { value: systemId, label: fullName, detail: unitName });
  }
  for (const { systemId, name, unit } of sandboxPeople) {
    options.set(systemId, { value: systemId, label: name, detail: unit });
  }
  const people = [...options.values()].toSorted((a, b) => a.label.localeCompare(b.label));
  return { people, nameOf: (systemId) => options.get(systemId)?.label ?? null };
}
