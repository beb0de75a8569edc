import { createRequire } from 'node:module';
import type * as Undici from 'undici';

/*
 * The parts of undici that send requests. Its index loads five times as many files, fetch and mocks among them, which
 * takes 40 ms of a start and 7 MiB. bench/NOTES.md
 */
const require = createRequire(import.meta.url);

/** A pool of HTTP connections to one origin. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof Undici.Pool;

/** The error classes of undici, which distinguish a malformed response from a lost connection. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const errors = require('undici/lib/core/errors.js') as typeof Undici.errors;
