import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** Tests that need a browser of the machine's own; `npm test` runs without one. */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({ test: { include: ['test/browser/**/*.browser.ts'], testTimeout: 60_000 } }),
);
