/* What `import … from 'dms-graphql-gateway/testing'` provides. docs/front-end-tests.md describes it. */
export {
  startMockDms,
  type ListeningMockDms,
  type MockDms,
  type ReceivedRequest,
  type ReplyBody,
  type ReplyOptions,
} from './mock-dms.ts';
export { Upload } from '../schema/libraries.ts';
export {
  createResolvers,
  type OperationRunner,
  type ResolverOptions,
  type ResolverResult,
  type Resolvers,
} from './resolvers.ts';
