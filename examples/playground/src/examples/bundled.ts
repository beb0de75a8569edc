import { examplesFrom } from './examples.ts';

export const examples = examplesFrom(
  import.meta.glob<string>(['../../../*.graphql', '../../../*.json'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

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

export const persistedOnlyNote = `# This gateway executes only persisted documents (PERSISTED_ONLY=on).
# It rejects every query that is written here with FORBIDDEN, and so the query by which
# the playground reads the schema: there is no documentation and no completion.
#
# To explore the schema, start a gateway with PERSISTED_ONLY=off.
`;
