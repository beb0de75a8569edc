import type { CodegenConfig } from '@graphql-codegen/cli';

/** Generates `src/gql/`: types of the operations and fragments in `src/`, and the possible types of interfaces. */
const config: CodegenConfig = {
  schema: 'schema.graphql', // with the forms of the sandbox
  documents: ['src/**/*.{ts,tsx}', '!src/gql/**/*'],
  generates: {
    './src/gql/': {
      preset: 'client',
      config: {
        enumsAsConst: true,
        strictScalars: true,
        useTypeImports: true,
        scalars: {
          Date: 'string',
          DateTime: 'string',
          Decimal: 'string',
          JSON: 'unknown',
          JSONObject: 'Record<string, unknown>',
          ObjectID: 'string',
          Upload: 'File',
          URL: 'string',
        },
      },
    },
    './src/gql/possible-types.ts': {
      plugins: ['fragment-matcher'],
      config: { useExplicitTyping: true },
    },
  },
};

export default config;
