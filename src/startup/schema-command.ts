import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { Registry } from 'prom-client';
import type { Config } from '../config/read-config.ts';
import type { Setting } from '../config/setting-parsers.ts';
import { createTeamPlugins, type GatewayConfig } from '../gateway-config.ts';
import type { GatewaySettings } from '../features/settings.ts';
import { features } from '../features/index.ts';
import { schemaWith } from '../schema/index.ts';
import { transformSchema, type Feature } from '../server/feature.ts';
import { checkDocuments } from '../server/graphql/persisted/check-documents.ts';
import { messageOf } from '../model/common.ts';
import { startDms } from './managed-dms.ts';
import { formsFor } from './serve.ts';

/** The settings on which the schema and the validity of a document depend. None is a secret. */
export const schemaSettings: readonly (keyof GatewaySettings)[] = [
  'DMS_URL',
  'INTROSPECTION',
  'MAX_ALIASES',
  'MAX_DEPTH',
  'MAX_DIRECTIVES',
  'MAX_ROOT_FIELDS',
  'MAX_TOKENS',
  ...schemaSettingsOf(features),
];

/** The settings of those features that print the schema. */
function schemaSettingsOf(all: readonly Feature[]): (keyof GatewaySettings)[] {
  const tables = all.filter(({ schemaPrinter }) => schemaPrinter).map(({ settings }) => settings);
  const rows = tables.flatMap((table = {}) => Object.values<Setting<unknown>>(table));
  return rows.map(({ name }) => name as keyof GatewaySettings);
}

/**
 * Returns the text of the schema that the gateway serves with these settings and this configuration, as `/schema.graphql`
 * does. Without `DMS_URL` and `forms`, it has the forms of a sandbox, which is started for that.
 *
 * @param printer the feature that prints the schema, which it has not transformed. Default: none
 */
export async function printServedSchema(
  config: Config,
  team: GatewayConfig,
  printer?: string,
): Promise<string> {
  const found = (features as readonly Feature[]).find(
    ({ name }) => name === printer,
  )?.schemaPrinter;
  const others = features.filter(({ name }) => name !== printer);
  const served = await transformSchema(others, config, await plainSchema(config, team));
  if (found !== undefined) return found.print(served);
  return `${printSchema(lexicographicSortSchema(served))}\n`;
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
  const schema = await transformSchema(features, config, await plainSchema(config, team));
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

/** The schema without what features change. */
async function plainSchema(config: Config, team: GatewayConfig): Promise<GraphQLSchema> {
  const needsSandbox = config.dmsUrl === null && team.forms === undefined;
  const dms = needsSandbox ? await startDms({ dmsUrl: null, dataDir: null }) : null;
  try {
    const forms = await formsFor(config, { sandbox: dms?.sandbox ?? null }, team);
    return schemaWith(forms, team.schema ?? null);
  } finally {
    await dms?.close();
  }
}
