import type { HttpClient } from '../../rest/client/http-client.ts';

const pingIntervalMs = 1000; // at most one ping per second, however often readiness is requested

/**
 * Creates the function that checks whether the gateway can serve requests: the DMS responds, and no shutdown is in
 * progress. Costs at most one ping of the DMS per second, and none if nobody requests it.
 */
export function createReadinessCheck(
  http: HttpClient,
  isClosing: () => boolean,
): () => Promise<boolean> {
  let lastPing: Promise<boolean> = Promise.resolve(false);
  let pingedAt = -Infinity;
  let isPinging = false;
  const ping = async (): Promise<boolean> => {
    pingedAt = performance.now();
    isPinging = true;
    try {
      return await http.ping();
    } catch {
      return false;
    } finally {
      isPinging = false;
    }
  };
  return async () => {
    if (isClosing()) return false;
    // One ping at a time: a queued ping could exceed its time limit although the DMS responds.
    if (!isPinging && performance.now() - pingedAt > pingIntervalMs) lastPing = ping();
    return (await lastPing) && !isClosing();
  };
}
