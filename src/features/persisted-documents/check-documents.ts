import type { GraphQLSchema } from 'graphql';
import { messageOf } from '../../model/common.ts';
import { fetchAPI } from '../../server/graphql/fetch-api.ts';
import {
  useQueryDocuments,
  type QueryDocumentOptions,
} from '../../server/graphql/plugins/use-query-documents.ts';
import { contextWithoutRequest, type OperationContext } from '../../server/graphql/operation.ts';
import { createYoga } from '../../server/graphql/yoga-packages.ts';
import { loadTrustedDocuments } from './trusted-documents.ts';

export async function checkDocuments(
  paths: readonly string[],
  schema: GraphQLSchema,
  options: QueryDocumentOptions,
  teamPlugins: readonly object[],
): Promise<string> {
  const plugins = [...teamPlugins, useQueryDocuments(options)];
  const yoga = createYoga<OperationContext>({ schema, plugins, fetchAPI, logging: false });
  const server = yoga.getEnveloped(contextWithoutRequest());
  const results = await Promise.allSettled(
    paths.map(async (path) => {
      const trusted = await loadTrustedDocuments(path, path);
      trusted.check(server);
      const count = trusted.entries.length;
      return `${path}: ${count} valid ${count === 1 ? 'document' : 'documents'}`;
    }),
  );
  const text = results
    .map((one) => (one.status === 'rejected' ? messageOf(one.reason) : one.value))
    .join('\n');
  if (results.some(({ status }) => status === 'rejected')) throw new Error(text);
  return `${text}\n`;
}
