import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** Tests that install packages in projects of their own. `npm test` does not run them. */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    test: {
      include: ['test/package/**/*.package.ts'],
      globalSetup: 'test/package/pack.ts',
      fileParallelism: false, // each file starts programs that use all cores
      testTimeout: 900_000,
      hookTimeout: 900_000,
    },
  }),
);
