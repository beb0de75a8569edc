import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** Tests that install packages and require a browser. `npm test` does not run them. */
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    test: {
      include: ['test/front-end/**/*.front-end.ts'],
      globalSetup: 'test/package/pack.ts',
      testTimeout: 1_800_000, // each installs packages several times
      hookTimeout: 900_000,
    },
  }),
);
