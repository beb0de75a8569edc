import { createRequire } from 'node:module';
import type * as Csrf from '@graphql-yoga/plugin-csrf-prevention';
import type * as Yoga from 'graphql-yoga';

/*
 * Yoga as CommonJS modules. Its about 500 ES modules take twice as long to load. They are loaded after the port
 * listens, or with the first operation.
 */
const require = createRequire(import.meta.url);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { createYoga, isAsyncIterable } = require('graphql-yoga') as typeof Yoga;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { useCSRFPrevention } = require('@graphql-yoga/plugin-csrf-prevention') as typeof Csrf;
