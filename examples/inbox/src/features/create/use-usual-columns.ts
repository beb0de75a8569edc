import { skipToken, useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/index.ts';
import type { FieldDefinition } from '../fields/field-definition.ts';

const usualColumnsQuery = graphql(`
  query UsualColumns($form: ID!, $tags: [String!]!) {
    documents(view: ALL, filter: { forms: [$form] }, first: 1) {
      nodes {
        id
        tables: values(tags: $tags) {
          tag
          ... on TableValue {
            columns
          }
        }
      }
    }
  }
`);

/** A form does not define the columns of its tables: returns its fields with those of its latest document. */
export function useUsualColumns(
  formId: string | undefined,
  fields: readonly FieldDefinition[],
): readonly FieldDefinition[] {
  const tags = fields.filter(({ type }) => type === 'table').map(({ tag }) => tag);
  const { data } = useQuery(
    usualColumnsQuery,
    formId === undefined || tags.length === 0 ? skipToken : { variables: { form: formId, tags } },
  );
  const tables = data?.documents?.nodes[0]?.tables ?? [];
  return fields.map((field) => {
    const table = tables.find(({ tag }) => tag === field.tag);
    return table && 'columns' in table ? { ...field, columns: table.columns } : field;
  });
}
