import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Without this, sources get graphql's ES modules and the packages its CommonJS modules: two copies that reject each
  // other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
});
