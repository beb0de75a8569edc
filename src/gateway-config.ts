import type { Plugin } from 'graphql-yoga';
import type { Registry } from 'prom-client';
import { GatewayConfigError, suggestionFor, type Settings } from './config/read-config.ts';
import { features } from './features/index.ts';
import type { GatewaySettings } from './features/settings.ts';
import { isRecord } from './model/common.ts';
import type { FormsConfig } from './model/form.ts';
import type { OnCall } from './rest/index.ts';
import type { SchemaExtension } from './schema/extend.ts';
import { openSchema, type Feature, type SchemaSources } from './server/feature.ts';
import type { CreateTeamContext } from './server/graphql/plugins/use-team-context.ts';

/** A plugin of Yoga or Envelop. Each states which context it expects, so they have no common type. */
// oxlint-disable-next-line typescript/no-explicit-any -- the type parameters of plugins are contexts
export type TeamPlugin = Plugin<any, any, any>;

/** Creates the plugins of one gateway, which can add metrics of their own to its `/metrics`. */
export type CreateTeamPlugins = (input: { readonly registry: Registry }) => readonly TeamPlugin[];

/** What a team adds to the gateway: the default export of `gateway.config.ts`. */
export interface TeamConfig {
  /** Settings, unless the environment or `startGateway` sets them. */
  readonly settings?: GatewaySettings;
  /** Plugins of Yoga and Envelop. They run after those of the gateway that create the context. */
  readonly plugins?: readonly TeamPlugin[] | CreateTeamPlugins;
  /** Adds types and fields to the schema. */
  readonly schema?: SchemaExtension;
  /**
   * Creates what resolvers find in their context beside the gateway's own properties. Called once per request, after
   * its user is known and its query document is valid. The result is disposed when the request has ended.
   */
  readonly context?: CreateTeamContext;
  /**
   * Returns headers that a request to the DMS has besides those of the gateway, such as a signature that an API gateway in
   * front of it requires. Called for each attempt. It cannot replace a header of the gateway, such as the credential.
   */
  readonly onCall?: OnCall;
  /** The forms that become types of the schema. */
  readonly forms?: FormsConfig;
}

/** Declares the configuration of a gateway, so that its types are checked. Returns the argument. */
export function defineGateway(config: TeamConfig): TeamConfig {
  return config;
}

const ownChecks: Readonly<Record<string, (value: unknown) => string | null>> = {
  settings: (value) => (isRecord(value) ? null : 'must be an object'),
  plugins: (value) =>
    typeof value === 'function' || arePlugins(value)
      ? null
      : 'must be a list of plugins of Yoga or Envelop, or a function that returns one',
  context: (value) => (typeof value === 'function' ? null : 'must be a function'),
  schema: (value) => (typeof value === 'function' ? null : 'must be a function'),
  onCall: (value) => (typeof value === 'function' ? null : 'must be a function'),
};
const keyChecks: typeof ownChecks = Object.assign(
  {},
  ownChecks,
  ...(features as readonly Feature[]).map(({ options }) => options),
);

function arePlugins(value: unknown): boolean {
  return Array.isArray(value) && value.every((plugin) => isRecord(plugin));
}

/** The plugins of a configuration for one gateway. Empty if there are none. @throws {GatewayConfigError} */
export function createTeamPlugins(
  { plugins = [] }: TeamConfig,
  input: Parameters<CreateTeamPlugins>[0],
): readonly TeamPlugin[] {
  if (typeof plugins !== 'function') return plugins;
  const created = plugins(input);
  if (arePlugins(created)) return created;
  throw new GatewayConfigError('`plugins` must return a list of plugins of Yoga or Envelop');
}

/** Returns what a configuration adds, as a feature of one gateway. */
export function featureOf(config: TeamConfig): Feature {
  const { schema: extend, context, onCall } = config;
  const hooks = onCall === undefined ? {} : { onCall };
  return {
    name: 'config',
    schema: () => ({ extend }),
    async open(options, { log, metrics: { registry } }) {
      const plugins = createTeamPlugins(config, { registry });
      if (context === undefined) return { hooks, teamPlugins: plugins };
      const { checkTeamContext, useTeamContext } =
        await import('./server/graphql/plugins/use-team-context.ts');
      await checkTeamContext(context);
      return { hooks, teamPlugins: [useTeamContext(context, log, options), ...plugins] };
    },
  };
}

/**
 * Opens the schema with what a configuration adds.
 *
 * @param all the features. Default: all of the package
 */
export function openSchemaOf(
  team: TeamConfig,
  settings: Settings,
  sources: Partial<SchemaSources> = {},
  all: readonly Feature[] = features,
): ReturnType<typeof openSchema> {
  return openSchema([...all, featureOf(team)], settings, {
    options: { ...team },
    directory: process.cwd(),
    sandboxForms: async () => null,
    warn() {},
    dependOn() {},
    ...sources,
  });
}

/**
 * Returns the text of the schema, sorted, with what a configuration adds: for code generation and to review changes. The
 * gateway with this configuration serves the same. Only the embedded sandbox adds its own forms, if the configuration has
 * none.
 *
 * @throws if the configuration does not result in a valid schema
 */
export async function printSchemaOf(config: TeamConfig): Promise<string> {
  const checked = checkTeamConfig(config, 'config');
  // A gateway does not print its schema when it starts.
  const { printSortedSchema } = await import('./schema/print.ts');
  const { readSettings } = await import('./features/settings.ts');
  const { build } = await openSchemaOf(checked, readSettings({}));
  return printSortedSchema(await build());
}

/**
 * Checks a configuration, which need not have been compiled.
 *
 * @param source names the file or option in the message
 * @throws {GatewayConfigError}
 */
export function checkTeamConfig(value: unknown, source: string): TeamConfig {
  if (!isRecord(value)) {
    throw new GatewayConfigError(`${source} must be an object`);
  }
  const problems = Object.entries(value).flatMap(([key, option]) => {
    if (!Object.hasOwn(keyChecks, key)) {
      return `\`${key}\` is not an option${suggestionFor(key, Object.keys(keyChecks))}`;
    }
    const problem = keyChecks[key]?.(option) ?? null;
    return option === undefined || problem === null ? [] : `\`${key}\` ${problem}`;
  });
  if (problems.length === 0) return value;
  const message = problems.map((problem) => `${source}: ${problem}`).join('\n');
  const { settings } = value;
  throw Object.assign(new GatewayConfigError(message), isRecord(settings) ? { settings } : {});
}
