import type { Http } from '../rest/http.ts';

export interface Health {
  /** Whether the gateway can do its work: the DMS answers, and nobody has asked it to stop. */
  ready(): Promise<boolean>;
}

const trustedMs = 1000; // however often it is asked, the DMS is asked once a second

export function createHealth(http: Http, isClosing: () => boolean): Health {
  let asked: Promise<boolean> = Promise.resolve(false);
  let askedAt = -Infinity;
  return {
    async ready() {
      if (isClosing()) return false;
      if (performance.now() - askedAt > trustedMs) {
        askedAt = performance.now();
        asked = http.ping().catch(() => false);
      }
      return (await asked) && !isClosing();
    },
  };
}
