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
 * Makes the tables and the seed of an empty folder, and leaves any other as it is. The tables and all rows come in
 * one transaction after the files are on disk: a first start that is cut off is simply a first start again.
 * Every start from an empty folder gives the same ids, values and bytes.
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
