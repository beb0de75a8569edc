import { createRequire } from 'node:module';
import type * as GraphQLTools from '@graphql-tools/utils';

/* As CommonJS, like Yoga, which uses the package too: otherwise its 60 modules would be loaded twice. */
const require = createRequire(import.meta.url);

/** Returns a copy of a schema with changed types or fields, and the kinds of what can be changed. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { mapSchema, MapperKind } = require('@graphql-tools/utils') as typeof GraphQLTools;
