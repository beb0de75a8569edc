import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** Tests that check and run copies of the repository, each without a feature: `npm run test:deletion`. */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    test: { include: ['test/deletion/*.deletion.ts'], testTimeout: 900_000, hookTimeout: 300_000 },
  }),
);
