import type { Settings } from '../../src/config/read-config.ts';

/** Options of a gateway that polls the DMS for subscriptions. Without the feature, there is nothing to set. */
export const pollingEvery = (ms: number): Partial<Settings> => ({ livePollMs: ms }) as object;
