import { graphql } from '../../gql/index.ts';

export const fieldValueFragment = graphql(`
  fragment FieldValue on FieldValue {
    __typename
    tag
    ... on TextValue {
      text
    }
    ... on TableValue {
      columns
      rows
    }
  }
`);
