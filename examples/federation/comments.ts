import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';

/** The schema of the subgraph, for the composition. */
export const commentsSdl = readFileSync(new URL('comments.graphql', import.meta.url), 'utf8');

interface Comment {
  readonly id: string;
  readonly text: string;
  /** Full ID, as the DMS and the gateway know it. */
  readonly documentId: string;
  readonly authorId: string;
}

/** On documents of the sandbox: both users can see the first, only ann the second and only bob the third. */
const comments: readonly Comment[] = [
  ['65f000005eed00d0000000c6', 'usr-bob', 'Is the list of participants complete?'],
  ['65f000005eed00d0000000c6', 'usr-ann', 'Yes, I have checked it.'],
  ['65f000005eed00d0000000c2', 'usr-ann', 'Please pay by the end of the month.'],
  ['65f000005eed00d0000000c3', 'usr-bob', 'The request is complete.'],
].map(([documentId, authorId, text], index) => ({
  id: String(index + 1),
  text: text!,
  documentId: documentId!,
  authorId: authorId!,
}));

const schema = buildSubgraphSchema({
  typeDefs: parse(commentsSdl),
  resolvers: {
    Query: {
      comments: (_root: unknown, { first }: { first: number }) =>
        comments.toReversed().slice(0, Math.max(0, first)),
    },
    // References to entities of the gateway: their keys are all that this subgraph knows.
    Comment: {
      __resolveReference: ({ id }: { id: string }) => comments.find((one) => one.id === id),
      document: ({ documentId }: Comment) => ({ fullId: documentId }),
      author: ({ authorId }: Comment) => ({ systemId: authorId }),
    },
    Document: {
      comments: ({ fullId }: { fullId: string }) =>
        comments.filter(({ documentId }) => documentId === fullId),
    },
    Person: {
      comments: ({ systemId }: { systemId: string }) =>
        comments.filter(({ authorId }) => authorId === systemId),
    },
  },
});

/** A subgraph that adds comments to the documents and persons of the gateway. */
export const commentsServer = createYoga({ schema, logging: false, landingPage: false });
