import { createRequire } from 'node:module';
import type * as Undici from 'undici';

/*
 * undici in parts. Its index, which is its only public module, loads five times as many files, fetch and mocks among them:
 * 40 ms of a start and 7 MiB (bench/NOTES.md). Its version is exact, and tests of connections, errors and
 * proxies fail if these files move.
 */
const require = createRequire(import.meta.url);

export const Pool = require('undici/lib/dispatcher/pool.js') as typeof Undici.Pool;

export const buildConnector = require('undici/lib/core/connect.js') as typeof Undici.buildConnector;

export const errors = require('undici/lib/core/errors.js') as typeof Undici.errors;

export function loadUndici(): typeof Undici {
  return require('undici') as typeof Undici;
}
