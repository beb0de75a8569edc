import { createRequire } from 'node:module';
import type * as GraphQLTools from '@graphql-tools/utils';

/* As CommonJS, like Yoga, which uses the package too: otherwise its 60 modules would be loaded twice. */
const require = createRequire(import.meta.url);

/** Copies of a schema with changed types or fields, the kinds of what can be changed, and a check of values. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { isAsyncIterable, isIterableObject, mapSchema, MapperKind } =
  require('@graphql-tools/utils') as typeof GraphQLTools;
