import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../../../vitest.config.ts';

/** Tests that need the packages of examples/federation; `npm test` runs without them. */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({ test: { include: ['test/features/federation/router/*.federation.ts'] } }),
);
