import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** How long the properties are tried altogether; `npm test` runs without them. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 30);

export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    test: {
      include: ['test/fuzz/**/*.fuzz.ts'],
      // A failure is made smaller before it is reported, which may take as long again.
      testTimeout: seconds * 2000 + 60_000,
    },
  }),
);
