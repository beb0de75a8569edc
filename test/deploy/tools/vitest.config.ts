import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../../vitest.config.ts';

/**
 * Tests that need Debian's haproxy and prometheus, kubectl and helm, or several processes of the gateway; `npm test` runs
 * without them.
 */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({ test: { include: ['test/deploy/tools/*.tools.ts'] } }),
);
