import type { Http } from '../../rest/client/http-client.ts';

export interface Health {
  /** Whether the gateway can do its work: the DMS answers, and nobody has asked it to stop. */
  ready(): Promise<boolean>;
}

const trustedMs = 1000; // however often it is asked, the DMS is asked once a second

export function createHealth(http: Http, isClosing: () => boolean): Health {
  let asked: Promise<boolean> = Promise.resolve(false);
  let askedAt = -Infinity;
  let isAsking = false;
  const ask = async (): Promise<boolean> => {
    askedAt = performance.now();
    isAsking = true;
    try {
      return await http.ping();
    } catch {
      return false;
    } finally {
      isAsking = false;
    }
  };
  return {
    async ready() {
      if (isClosing()) return false;
      // One at a time: behind another, an answer in time could look late.
      if (!isAsking && performance.now() - askedAt > trustedMs) asked = ask();
      return (await asked) && !isClosing();
    },
  };
}
