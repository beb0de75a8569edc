import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: 'risks.graphql',
  generates: {
    'generated.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: { useTypeImports: true },
    },
  },
};

export default config;
