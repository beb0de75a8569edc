import { defineFeature } from '../../server/feature.ts';

/** Reads what is added to the gateway from a file. docs/config-file.md describes it. */
export const configFile = defineFeature({
  name: 'config-file',
  configLoader: {
    description:
      'what a team adds; default gateway.config.ts, .mts, .cts, .js, .mjs, .cjs or .json in the working directory',
    async load(...args) {
      const { loadConfig } = await import('./load-config.ts');
      return loadConfig(...args);
    },
    async watch(...args) {
      const { startWatching } = await import('./watch.ts');
      startWatching(...args);
    },
  },
});
