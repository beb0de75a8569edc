import { defineFeature } from '../../server/feature.ts';

export const incremental = defineFeature({
  name: 'incremental',
  schema: () => ({
    async transform(schema) {
      const { addDirectives } = await import('./incremental-schema.ts');
      return addDirectives(schema);
    },
  }),
  open: async () => ({
    async plugins({ http }) {
      const { useIncremental } = await import('./use-incremental.ts');
      return [useIncremental(http.projection)];
    },
  }),
});
