import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * The tests of examples/own-fields, which needs packages of its own; `npm test` runs without them. In a clone, the name
 * of the package means the clone.
 */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    resolve: {
      alias: [
        { find: /^dms-graphql-gateway$/, replacement: `${source}index.ts` },
        { find: /^dms-graphql-gateway\/schema$/, replacement: `${source}schema/public.ts` },
        { find: /^dms-graphql-gateway\/testing$/, replacement: `${source}testing/index.ts` },
      ],
    },
    test: { include: ['examples/own-fields/*.test.ts', 'test/own-fields/*.own-fields.ts'] },
  }),
);
