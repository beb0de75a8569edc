import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Without this the tests get graphql's .mjs and the packages its .js: two copies, and `instanceof` fails.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 15_000,
  },
});
