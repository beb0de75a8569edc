import type { GraphQLSchema } from 'graphql';
import { fetchAPI } from '../fetch-api.ts';
import type { GatewayPlugin } from '../../feature.ts';
import { useQueryDocuments, type QueryDocumentOptions } from '../plugins/use-query-documents.ts';
import { createYoga } from '../yoga-packages.ts';
import { loadTrustedDocuments } from './trusted-documents.ts';

/**
 * Checks a manifest as the start does with `PERSISTED_DOCUMENTS`: with all limits, and with directives and rules of
 * plugins.
 *
 * @param added the plugins of a team
 * @returns the number of documents
 * @throws {ManifestError} with the entries that are not valid
 */
export async function checkDocuments(
  path: string,
  schema: GraphQLSchema,
  options: QueryDocumentOptions,
  added: readonly GatewayPlugin[] = [],
): Promise<number> {
  const trusted = await loadTrustedDocuments(path, path);
  const persisted = { trusted, registered: null, areCallersVerified: true };
  const plugins = [...added, useQueryDocuments(options, persisted)];
  trusted.check(createYoga({ schema, plugins, fetchAPI, logging: false }).getEnveloped({}));
  return trusted.entries.length;
}
