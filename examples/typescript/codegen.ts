import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: ['src/codegen/*.ts'],
  generates: {
    'src/codegen/generated/': {
      preset: 'client',
      config: {
        // The types that the scalars have in JSON.
        scalars: {
          DateTime: 'string',
          JSON: 'unknown',
          JSONObject: 'Record<string, unknown>',
          ObjectID: 'string',
          URL: 'string',
          Upload: 'File',
        },
        strictScalars: true,
        useTypeImports: true,
      },
      presetConfig: {
        fragmentMasking: { unmaskFunctionName: 'readFragment' },
      },
    },
  },
};

export default config;
