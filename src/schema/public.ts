import type { GraphQLError } from 'graphql';
import type { ErrorCode } from '../model/error-codes.ts';
import { createGraphQLError } from './graphql-error.ts';

/* What `import … from 'dms-graphql-gateway/schema'` provides. docs/extend.md describes it. */
export type { FileUpload } from '../model/document.ts';
export type { GatewayContext } from '../context.ts';
export type { ExtensionBuilder, SchemaExtension, SchemaRefs } from './extend.ts';
export type { FieldHints } from './plan/operation-plan.ts';
export {
  mutationErrorRefs,
  notFound,
  typeNameOf,
  validationError,
  type Issue,
  type MutationError,
} from './input/mutation-error.ts';

/**
 * Creates an error that a client sees. The gateway hides the message of every other error.
 *
 * @param message for the client, in English
 */
export function resolverError(code: ErrorCode, message: string): GraphQLError {
  return createGraphQLError(message, { extensions: { code } });
}
export { documentRequirements } from './plan/requirements.ts';
export { parsedArgs } from './plan/parsed-arguments.ts';
