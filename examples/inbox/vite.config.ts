import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const gateway = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:4000';

/** Replaces `graphql(…)` by the document that it returns, so that the script does not have the texts of all of them. */
const generatedDocuments: Plugin = {
  name: 'generated-documents',
  enforce: 'pre',
  transform: {
    filter: { id: { include: /\/src\/.*\.tsx?$/, exclude: /\/src\/gql\// }, code: 'graphql(`' },
    handler(code) {
      const names: string[] = [];
      const text = code.replaceAll(/\bgraphql\(`\s*(\w+)\s+(\w+)[^`]*`\)/g, (_, kind, name) => {
        names.push(`${name}${kind === 'fragment' ? 'FragmentDoc' : 'Document'}`);
        return names.at(-1)!;
      });
      return `import { ${names.join(', ')} } from '/src/gql/graphql.ts';\n${text}`;
    },
  },
};

export default defineConfig({
  plugins: [generatedDocuments, react()],
  // `../ui` has no packages of its own.
  resolve: { dedupe: ['react'] },
  publicDir: false,
  build: {
    // The policy of the gateway allows no inline scripts and no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    chunkSizeWarningLimit: 900, // kB; the repository contains the built files
  },
  // The gateway derives the URLs of files from the Host header, so the proxy keeps it.
  server: {
    fs: { allow: ['.', '../ui'] },
    proxy: {
      '/graphql': { target: gateway },
      '/files': { target: gateway },
      '/sandbox': { target: gateway },
    },
  },
});
