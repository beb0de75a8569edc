import type { GraphQLSchema } from 'graphql';
import { Registry } from 'prom-client';
import type { Config } from '../config/read-config.ts';
import type { Setting } from '../config/setting-parsers.ts';
import { createTeamPlugins, type GatewayConfig } from '../gateway-config.ts';
import type { GatewaySettings } from '../features/settings.ts';
import { features } from '../features/index.ts';
import { schemaWith } from '../schema/index.ts';
import { printSortedSchema } from '../schema/print.ts';
import type { Feature } from '../server/feature.ts';
import { transformSchema } from '../server/open-features.ts';
import type { GivenSchemaOption } from './arguments.ts';
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
  const printers = all.filter(({ schemaOption }) => schemaOption && !schemaOption.takesFile);
  const tables = printers.map(({ settings }) => settings);
  const rows = tables.flatMap((table = {}) => Object.values<Setting<unknown>>(table));
  return rows.map(({ name }) => name as keyof GatewaySettings);
}

/**
 * Returns the text of the schema that the gateway serves with these settings and this configuration, as `/schema.graphql`
 * does. Without `DMS_URL` and `forms`, it has the forms of a sandbox, which is started for that.
 *
 * @param given the option of a feature, which prints something else of the schema that others change. Default: none
 * @throws what the option throws
 */
export async function printServedSchema(
  config: Config,
  teamConfig: GatewayConfig,
  given: GivenSchemaOption | null = null,
): Promise<string> {
  const others = (features as readonly Feature[]).filter(
    ({ schemaOption }) => schemaOption === undefined || schemaOption !== given?.option,
  );
  const schema = await transformSchema(others, config, await plainSchema(config, teamConfig));
  if (given === null) return printSortedSchema(schema);
  const plugins = () => createTeamPlugins(teamConfig, { registry: new Registry() });
  return given.option.run({ schema, config, plugins }, given.files);
}

/** The schema without what features change. */
async function plainSchema(config: Config, teamConfig: GatewayConfig): Promise<GraphQLSchema> {
  const needsSandbox = config.dmsUrl === null && teamConfig.forms === undefined;
  const dms = needsSandbox ? await startDms({ dmsUrl: null, dataDir: null }) : null;
  try {
    const forms = await formsFor(config, { sandbox: dms?.sandbox ?? null }, teamConfig);
    return schemaWith(forms, teamConfig.schema ?? null);
  } finally {
    await dms?.close();
  }
}
