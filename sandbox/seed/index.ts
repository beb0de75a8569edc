import type { Blobs } from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import { createTables, hasTables } from '../store/schema.ts';
import { seedAccounts } from './accounts.ts';
import { seedDirectories } from './directories.ts';
import { draftDocuments, seedDocuments, writeSeedFiles } from './documents.ts';
import { seedForms } from './forms.ts';
import { seedOrganizations } from './organizations.ts';
import { seedPeople } from './people.ts';

/**
 * Creates the tables and the seed in an empty data directory. Any other directory is not changed. Tables and rows are
 * created in one transaction after the files are written, so that an interrupted first start is repeated. Every first
 * start results in the same IDs, values and bytes.
 */
export function seedOnce(db: Database, blobs: Blobs): void {
  if (hasTables(db)) return;
  const documents = draftDocuments();
  writeSeedFiles(blobs, documents);
  db.transaction(() => {
    createTables(db);
    seedAccounts(db);
    seedPeople(db);
    seedDirectories(db);
    seedOrganizations(db);
    seedForms(db);
    seedDocuments(db, documents);
  });
}
