import { defineGateway } from '../../../src/index.ts';

declare module '../../../src/index.ts' {
  interface TeamScalars {
    Money: { Input: number; Output: number };
  }
}

/** Adds a type of every kind, with everything that the language allows of it. */
export default defineGateway({
  schema(builder, { DocumentRef }) {
    builder.scalarType('Money', { specifiedByURL: 'https://money.test', serialize: String });
    const Level = builder.enumType('Level', {
      values: { LOW: {}, HIGH: { deprecationReason: 'Use LOW.' } } as const,
    });
    const Filter = builder.inputType('RiskFilter', {
      isOneOf: true,
      fields: (t) => ({ level: t.field({ type: Level }), text: t.string() }),
    });
    const Named = builder.interfaceRef<{ name: string }>('Named').implement({
      resolveType: () => 'Risk',
      fields: (t) => ({ name: t.exposeString('name') }),
    });
    const Rated = builder.interfaceRef<{ name: string }>('Rated').implement({
      interfaces: [Named],
      resolveType: () => 'Risk',
      fields: (t) => ({ rate: t.field({ type: 'Money', resolve: () => 1 }) }),
    });
    const Risk = builder.objectRef<{ name: string }>('Risk').implement({
      interfaces: [Named, Rated],
      fields: (t) => ({ level: t.field({ type: Level, nullable: true, resolve: () => null }) }),
    });
    const Subject = builder.unionType('Subject', {
      types: [Risk, DocumentRef],
      resolveType: () => 'Risk',
    });
    builder.objectField(DocumentRef, 'risks', (t) =>
      t.field({
        type: [Rated],
        args: {
          filter: t.arg({ type: Filter }),
          levels: t.arg({ type: [Level], defaultValue: ['LOW'] }),
          old: t.arg.int({ deprecationReason: 'Use levels.' }),
        },
        resolve: () => [],
      }),
    );
    builder.mutationField('rate', (t) =>
      t.field({
        type: Subject,
        args: { filter: t.arg({ type: Filter, required: true }) },
        resolve: () => ({ name: 'a' }),
      }),
    );
    builder.subscriptionField('rated', (t) =>
      t.string({ subscribe: async function* () {}, resolve: () => '' }),
    );
  },
});
