import { graphql } from '../../gql/index.ts';

/** The name of a document. `id` is a short, full or global ID. */
export const documentNameQuery = graphql(`
  query DocumentName($id: ID!) {
    document(id: $id) {
      id
      shortId
      fullId
      extra(names: ["topic"])
    }
  }
`);
