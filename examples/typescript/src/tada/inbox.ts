import { execute } from '../execute.ts';
import { graphql, readFragment, type FragmentOf } from './graphql.ts';

const DocumentLine = graphql(`
  fragment DocumentLine on Document {
    id
    shortId
    author {
      id
      __typename
      ... on Person {
        fullName
      }
    }
  }
`);

const Inbox = graphql(
  `
    query Inbox($first: Int!) {
      documents(view: INBOX, first: $first) {
        totalCount
        nodes {
          id
          ...DocumentLine
        }
      }
    }
  `,
  [DocumentLine],
);

/** Reads the first documents of the inbox. */
export async function readInbox(url: string, first: number) {
  const { documents } = await execute(url, Inbox, { first });
  return documents;
}

/** The line of a document in a list. Only this function can read the fields of its fragment. */
export function lineOf(document: FragmentOf<typeof DocumentLine>): string {
  const { shortId, author } = readFragment(DocumentLine, document);
  return `${shortId ?? '?'}: ${author?.__typename === 'Person' ? author.fullName : 'automatic'}`;
}
