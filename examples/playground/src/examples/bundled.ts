import { examplesFrom } from './examples.ts';

/** The operations of the folder `examples` of the repository. */
export const examples = examplesFrom(
  import.meta.glob<string>(['../../../*.graphql', '../../../*.json'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

/** What a new tab of a first visit contains. */
export const firstQuery = `# Reads the inbox with one query.
# Press Ctrl+Enter to run it.
query Inbox {
  documents(view: INBOX, first: 5) {
    totalCount
    nodes {
      shortId
      author {
        ... on Person { fullName }
      }
      files { name url }
    }
  }
}
`;

/** What it contains on a gateway with PERSISTED_ONLY=on. */
export const persistedOnlyNote = `# This gateway executes only persisted documents (PERSISTED_ONLY=on).
# It rejects every query that is written here with FORBIDDEN, and so the query by which
# the playground reads the schema: there is no documentation and no completion.
#
# To explore the schema, start a gateway with PERSISTED_ONLY=off.
`;
