import type { GatewayOptions } from '../../src/server/options.ts';

/** Options of a gateway that polls the DMS for subscriptions. Without the feature, there is nothing to set. */
export const pollingEvery = (ms: number): Partial<GatewayOptions> => ({ livePollMs: ms }) as object;
