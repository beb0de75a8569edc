import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { Registry } from 'prom-client';
import type { Config } from '../config/read-config.ts';
import { createTeamPlugins, type GatewayConfig } from '../gateway-config.ts';
import type { GatewaySettings } from '../config/setting-sources.ts';
import { publicSchema } from '../server/graphql/endpoint.ts';
import { checkDocuments } from '../server/graphql/persisted/check-documents.ts';
import { messageOf } from '../model/common.ts';
import { startDms } from './managed-dms.ts';
import { formsFor } from './serve.ts';

/** The settings on which the schema and the validity of a document depend. None is a secret. */
export const schemaSettings: readonly (keyof GatewaySettings)[] = [
  'DMS_URL',
  'FEDERATION',
  'INTROSPECTION',
  'MAX_ALIASES',
  'MAX_DEPTH',
  'MAX_DIRECTIVES',
  'MAX_ROOT_FIELDS',
  'MAX_TOKENS',
];

/**
 * Returns the text of the schema that the gateway serves with these settings and this configuration, as `/schema.graphql`
 * does. Without `DMS_URL` and `forms`, it has the forms of a sandbox, which is started for that.
 *
 * @param isSubgraph whether the text is that of `_service { sdl }`, for composition
 */
export async function printServedSchema(
  config: Config,
  team: GatewayConfig,
  isSubgraph: boolean,
): Promise<string> {
  if (!isSubgraph) {
    const schema = await servedSchema(config, team);
    return `${printSchema(lexicographicSortSchema(schema))}\n`;
  }
  const { printSubgraph } = await import('../schema/federation/subgraph-schema.ts');
  return printSubgraph(await servedSchema({ ...config, federation: false }, team));
}

/**
 * Checks manifests of trusted documents against that schema, as the start does.
 *
 * @returns one line for each
 * @throws with the entries of all that are not valid
 */
export async function checkServedDocuments(
  config: Config,
  team: GatewayConfig,
  paths: readonly string[],
): Promise<string> {
  const schema = await servedSchema(config, team);
  const plugins = createTeamPlugins(team, { registry: new Registry() });
  const check = (path: string) => checkDocuments(path, schema, config, plugins);
  const results = await Promise.allSettled(paths.map(check));
  const lines = results.map((result, at) =>
    result.status === 'rejected'
      ? messageOf(result.reason)
      : `${paths[at]}: ${result.value} valid ${result.value === 1 ? 'document' : 'documents'}`,
  );
  const text = lines.join('\n');
  if (results.some(({ status }) => status === 'rejected')) throw new Error(text);
  return `${text}\n`;
}

async function servedSchema(config: Config, team: GatewayConfig): Promise<GraphQLSchema> {
  const needsSandbox = config.dmsUrl === null && team.forms === undefined;
  const dms = needsSandbox ? await startDms({ dmsUrl: null, dataDir: null }) : null;
  try {
    const forms = await formsFor(config, { sandbox: dms?.sandbox ?? null }, team);
    return await publicSchema(config, { forms, extendSchema: team.schema });
  } finally {
    await dms?.close();
  }
}
