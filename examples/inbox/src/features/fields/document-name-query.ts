import { graphql } from '../../gql/index.ts';

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
