import type { HttpClient } from '../../rest/client/http-client.ts';

export interface Health {
  /** Whether the gateway can do its work: the DMS answers, and nobody has asked it to stop. */
  ready(): Promise<boolean>;
}

const pingIntervalMs = 1000; // however often it is asked, the DMS is asked once a second

export function createHealth(http: HttpClient, isClosing: () => boolean): Health {
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
  return {
    async ready() {
      if (isClosing()) return false;
      // One at a time: behind another, an answer in time could look late.
      if (!isPinging && performance.now() - pingedAt > pingIntervalMs) lastPing = ping();
      return (await lastPing) && !isClosing();
    },
  };
}
