import { defineConfig } from 'vitest/config';
import { ClosingCounts } from './test/helpers/closing-counts.ts';

export default defineConfig({
  resolve: {
    // Without this the tests get graphql's .mjs and the packages its .js: two copies, and `instanceof` fails.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 15_000,
    reporters: ['default', new ClosingCounts()],
  },
});
