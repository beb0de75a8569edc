import { Registry } from 'prom-client';
import type { Settings } from '../config/read-config.ts';
import type { Setting } from '../config/setting-parsers.ts';
import { createTeamPlugins, openSchemaOf, type TeamConfig } from '../gateway-config.ts';
import type { GatewaySettings } from '../features/settings.ts';
import { features } from '../features/index.ts';
import { printSortedSchema } from '../schema/print.ts';
import type { CommandDms } from '../server/command.ts';
import type { Feature } from '../server/feature.ts';
import type { GivenSchemaOption } from './arguments.ts';
import { startDms } from './managed-dms.ts';
import { certificatesOf, openTlsFiles } from './serve.ts';

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

function schemaSettingsOf(all: readonly Feature[]): (keyof GatewaySettings)[] {
  const printers = all.filter(({ schemaOption }) => schemaOption && !schemaOption.takesFile);
  const tables = printers.map(({ settings }) => settings);
  const rows = tables.flatMap((table = {}) => Object.values<Setting<unknown>>(table));
  return rows.map(({ name }) => name as keyof GatewaySettings);
}

export async function printServedSchema(
  settings: Settings,
  teamConfig: TeamConfig,
  directory: string,
  given: GivenSchemaOption | null = null,
): Promise<string> {
  const others = (features as readonly Feature[]).filter(
    ({ schemaOption }) => schemaOption === undefined || schemaOption !== given?.option,
  );
  const sandboxForms = () => (settings.dmsUrl === null ? formsOfSandbox() : Promise.resolve(null));
  const sources = { directory, sandboxForms };
  const schema = await (await openSchemaOf(teamConfig, settings, sources, others)).build();
  if (given === null) return printSortedSchema(schema);
  const plugins = () => createTeamPlugins(teamConfig, { registry: new Registry() });
  return given.option.run({ schema, settings, plugins }, given.files);
}

async function formsOfSandbox(): Promise<readonly unknown[] | null> {
  const { sandbox, close } = await startDms({ dmsUrl: null, dataDir: null });
  await close();
  process.stderr.write('The schema has the forms of the sandbox, because DMS_URL is not set.\n');
  return sandbox?.forms ?? null;
}

export async function openCommandDms(settings: Settings): Promise<CommandDms> {
  const tls = await openTlsFiles(settings.tlsSettings, { write() {} }); // a failed request has the reason
  const { url, sandbox, close } = await startDms({ dmsUrl: settings.dmsUrl, dataDir: null });
  return {
    dmsUrl: url,
    sandbox,
    tls,
    certificates: certificatesOf(tls),
    async *checkServices() {
      for (const feature of features as readonly Feature[])
        yield* feature.check?.(settings, { tls }) ?? [];
    },
    [Symbol.asyncDispose]: close,
  };
}
