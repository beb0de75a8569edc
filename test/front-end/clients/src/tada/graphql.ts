import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    Date: string;
    DateTime: string;
    Decimal: string;
    JSON: unknown;
    JSONObject: Record<string, unknown>;
    ObjectID: string;
    URL: string;
    Upload: File;
  };
}>();
