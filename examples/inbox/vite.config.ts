import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const gateway = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:4000';

export default defineConfig({
  plugins: [react()],
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
