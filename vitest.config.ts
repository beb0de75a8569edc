import { defineConfig } from 'vitest/config';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ClosingCounts } from './test/helpers/closing-counts.ts';

/** Tests that start the gateway as a process, several times each: `npm run test:processes`. */
export const processTests = [
  'test/deploy/image.test.ts',
  'test/startup/workers/primary.test.ts',
  ...globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((path) =>
    /helpers\/(?:process|workers)\.ts/.test(readFileSync(new URL(path, import.meta.url), 'utf8')),
  ),
];

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  resolve: {
    // Without this the tests get graphql's .mjs and the packages its .js: two copies, and `instanceof` fails.
    alias: [
      { find: /^graphql$/, replacement: 'graphql/index.js' },
      { find: 'dms-graphql-gateway/clients', replacement: pathOf('src/clients/index.ts') },
      {
        find: 'dms-graphql-gateway/introspection.json',
        replacement: pathOf('test/helpers/introspection.ts'),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...processTests],
    // Loading the gateway anew for each file takes longer than most files: each process loads it once. What a test
    // changes outside of itself it puts back.
    isolate: false,
    restoreMocks: true,
    maxWorkers: '100%',
    // Tests wait for conditions. These limits only end a test whose condition is never met.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true, poll: { timeout: 30_000, interval: 20 } },
    tags: [
      { name: 'nightly', description: 'Takes long and rarely fails: only `.ci/nightly` runs it.' },
    ],
    reporters: ['default', new ClosingCounts()],
  },
});
