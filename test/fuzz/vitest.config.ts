import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** Total time of all properties. `npm test` does not run them. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 30);

export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    test: {
      include: ['test/fuzz/**/*.fuzz.ts'],
      // A failing case is shrunk before it is reported, which can take as long again.
      testTimeout: seconds * 2000 + 60_000,
    },
  }),
);
