import type { Variants } from './options.ts';
import type { Blobs } from './store/blobs.ts';
import type { Database } from './store/database.ts';

/** What every handler uses. */
export interface Service {
  readonly db: Database;
  readonly blobs: Blobs;
  readonly variants: Variants;
}
