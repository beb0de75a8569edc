/* What `import … from 'dms-graphql-gateway'` provides. docs/front-end-tests.md describes it. */
export { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts';
export { ConfigError } from './config/read-config.ts';
export type { GatewaySettings } from './config/settings-object.ts';
export { startGateway, type RunningGateway, type StartOptions } from './startup/start-gateway.ts';
