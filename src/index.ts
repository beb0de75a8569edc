/* What `import … from 'dms-graphql-gateway'` provides. docs/front-end-tests.md describes it. */
export type { Sandbox, SandboxOptions, SandboxVariants } from '../sandbox/index.ts';
export type { FormsConfig } from './model/form.ts';
export { ConfigError, GatewayConfigError } from './config/read-config.ts';
export type { TeamContext } from './context.ts';
export type { TeamScalars } from './schema/builder.ts';
export type { CreateTeamContext, TeamCaller } from './server/graphql/plugins/use-team-context.ts';
export {
  defineGateway,
  printSchemaOf,
  type CreateTeamPlugins,
  type TeamConfig as GatewayConfig,
  type TeamPlugin,
} from './gateway-config.ts';
export type { GatewaySettings } from './features/settings.ts';
export { startGateway, type RunningGateway, type StartOptions } from './startup/start-gateway.ts';
export { startSandbox } from './startup/managed-dms.ts';
