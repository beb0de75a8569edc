import type { Config } from '../../config/read-config.ts';
import { integer, ofProcess } from '../../config/setting-parsers.ts';
import { defineFeature } from '../../server/feature.ts';

/** Serves with several processes, which share a port and what they have cached. */
export const workers = defineFeature({
  name: 'workers',
  settings: {
    workers: ofProcess(integer('WORKERS', 1, [1, 256], 'Number of worker processes.')),
  },
  createProcesses({ workers: count, ...config }) {
    if (count === 1) return null;
    return {
      count,
      async start(options) {
        const { startWorkers } = await import('./primary.ts');
        const counters = await countersFor(config);
        return startWorkers({ ...config, ...options, count, counters });
      },
      async run(serve) {
        const { runWorker } = await import('./worker.ts');
        runWorker(serve);
      },
    };
  },
});

/** The counters of RATE_LIMIT for all workers, which those of another feature replace. */
async function countersFor({ rateLimit }: Pick<Config, 'rateLimit'>) {
  if (rateLimit === null) return null;
  const { CallCounters } = await import('../../rest/index.ts');
  return new CallCounters();
}
