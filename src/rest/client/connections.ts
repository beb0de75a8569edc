import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';

/*
 * The parts of undici that send requests. Its index loads five times as many files, fetch and mocks among them, which
 * takes 40 ms of a start and 7 MiB. bench/NOTES.md
 */
const require = createRequire(import.meta.url);
const Pool = require('undici/lib/dispatcher/pool.js') as typeof Undici.Pool;

/** Settings of a pool. */
export interface PoolOptions {
  readonly connections: number;
  /** In milliseconds. */
  readonly connectTimeout: number;
  /** Whether a connection is used for further requests. Default true. */
  readonly keepAlive?: boolean;
}

/** Creates a pool of HTTP connections to one origin. It never sends a request twice. */
export function createPool(
  origin: string,
  { connections, connectTimeout, keepAlive = true }: PoolOptions,
): Dispatcher {
  return new Pool(origin, {
    connections,
    connectTimeout,
    // With one request at a time and without HTTP/2, undici never sends a request twice.
    pipelining: keepAlive ? 1 : 0,
    allowH2: false,
    // The gateway has its own timers; those of undici are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
