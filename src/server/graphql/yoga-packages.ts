import { createRequire } from 'node:module';
import type * as Csrf from '@graphql-yoga/plugin-csrf-prevention';
import type * as Yoga from 'graphql-yoga';

/*
 * Yoga as CommonJS: its ES modules, some 500 files, take twice as long to load. Loaded with the first operation, or
 * once the port listens, since a process that starts need not wait for it.
 */
const require = createRequire(import.meta.url);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { createYoga, isAsyncIterable } = require('graphql-yoga') as typeof Yoga;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { useCSRFPrevention } = require('@graphql-yoga/plugin-csrf-prevention') as typeof Csrf;
