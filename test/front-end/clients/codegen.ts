import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['src/documents.ts'],
  generates: {
    'src/generated/': {
      preset: 'client',
      config: {
        enumsAsConst: true,
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
        strictScalars: true,
        useTypeImports: true,
      },
    },
    'src/generated/introspection.ts': {
      plugins: ['urql-introspection'],
      config: { useTypeImports: true },
    },
  },
};

export default config;
