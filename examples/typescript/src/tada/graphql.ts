import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

/** Parses a document. Its types are inferred from the text, without a build step. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    DateTime: string;
    JSON: unknown;
    JSONObject: Record<string, unknown>;
    ObjectID: string;
    URL: string;
    Upload: File;
  };
}>();

export { readFragment, type FragmentOf } from 'gql.tada';
