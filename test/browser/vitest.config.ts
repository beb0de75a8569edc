import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** Tests that require an installed browser. `npm test` does not run them. */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    test: { include: ['test/browser/**/*.browser.ts'], testTimeout: 120_000 },
  }),
);
