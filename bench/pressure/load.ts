/** The process that sends a flood of `bench:pressure` and of the tests of deploy/nginx.conf. */
import { setTimeout as sleep } from 'node:timers/promises';

import { floods, startFlood } from './floods.ts';

interface Order {
  /** Which of the floods. */
  readonly index: number;
  readonly url: string;
  /** How long its connections stay open after it was sent. */
  readonly ms: number;
}

/** The number of responses by status. */
export type FloodResult = Readonly<Record<string, number>>;

process.on('message', ({ index, url, ms }: Order) => {
  const { statuses, sent } = startFlood(floods[index]!, url);
  void sent.then(() => sleep(ms)).then(() => process.send?.(statuses));
});
process.on('disconnect', () => process.exit(0));
