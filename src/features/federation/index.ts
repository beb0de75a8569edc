import { onOff } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';

export const federation = defineFeature({
  name: 'federation',
  settings: {
    federation: onOff(
      'FEDERATION',
      false,
      'Serve the schema as an Apollo Federation 2 subgraph.',
      'behind a router',
    ),
  },
  // The other setting is of a feature that can be missing.
  problems({ federation: isOn, persistedOnly }: { federation: boolean; persistedOnly?: boolean }) {
    if (!isOn || !persistedOnly) return [];
    return [
      'PERSISTED_ONLY=on cannot be used with FEDERATION=on: routers send documents of their own',
    ];
  },
  schema({ federation: isOn, introspection }) {
    if (!isOn) return null;
    return {
      async transform(schema) {
        const { createSubgraphSchema } = await import('./subgraph-schema.ts');
        return createSubgraphSchema(schema, { introspection });
      },
    };
  },
  schemaOption: {
    name: 'federation',
    description: 'prints it as an Apollo Federation subgraph, for composition',
    async run({ schema }) {
      const { printSubgraph } = await import('./subgraph-schema.ts');
      return printSubgraph(schema);
    },
  },
});
