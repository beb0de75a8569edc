import { defineConfig } from 'vitest/config';
import shared, { processTests } from '../../vitest.config.ts';

export default defineConfig({
  ...shared,
  test: { ...shared.test, include: processTests, exclude: [] },
});
