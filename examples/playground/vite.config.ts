import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const gateway = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:4000';

export default defineConfig({
  plugins: [react()],
  resolve: { dedupe: ['react'] }, // `../ui` has no packages of its own
  base: './', // a proxy in front of the gateway can add a prefix
  publicDir: false,
  build: {
    // The page is /graphql, and the gateway serves its files below that path.
    assetsDir: 'graphql/assets',
    assetsInlineLimit: 0, // the policy of the gateway allows no fonts from data: URLs
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000, // kB; the editor
    rolldownOptions: {
      output: {
        // The repository contains the built files: those of packages change only with their versions.
        codeSplitting: {
          groups: [
            // What the header needs, which is shown first.
            {
              name: 'react',
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|vite[\\/]preload-helper/,
            },
            { name: 'packages', test: /node_modules[\\/](?!monaco-|prettier).*js$/ },
          ],
        },
      },
      // "use no memo" is for the React compiler, which the packages have run before.
      onLog: (level, log, write) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && write(level, log),
    },
  },
  worker: { format: 'es' },
  server: {
    fs: { allow: ['..'] },
    proxy: {
      '/graphql': {
        target: gateway,
        bypass: ({ headers }) =>
          headers.accept?.includes('text/html') ? '/index.html' : undefined,
      },
      '/files': { target: gateway },
      '/sandbox': { target: gateway },
      '/schema.graphql': { target: gateway },
    },
  },
});
