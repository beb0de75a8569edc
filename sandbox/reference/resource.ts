import type { Route } from '../http/router.ts';
import type { Service } from '../service.ts';
import type { Database } from '../store/database.ts';

/** What the sandbox has of a resource other than documents. */
export interface Resource {
  /** SQL that creates its tables. */
  readonly tables: string;
  readonly routes: (service: Service) => readonly Route[];
  /** Adds the objects of the first start. */
  readonly seed: (db: Database) => void;
}
