import { initialProperties } from '../documents/properties.ts';
import { resources } from '../resources.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import { createTables, documentTables, hasTables } from '../store/schema.ts';
import { seedAccounts } from './accounts.ts';
import { draftDocuments, seedDocuments, writeSeedFiles } from './documents.ts';

const schema = {
  tables: [documentTables, ...resources.map(({ tables }) => tables)].join(''),
  properties: Object.keys(initialProperties),
};

/**
 * Creates the tables and the seed in an empty data directory. Any other directory is not changed. Tables and rows are
 * created in one transaction after the files are written, so that an interrupted first start is repeated. Every first
 * start results in the same IDs, values and bytes.
 */
export function seedOnce(db: Database, blobs: Blobs): void {
  if (hasTables(db, schema)) return;
  const documents = draftDocuments();
  writeSeedFiles(blobs, documents);
  db.transaction(() => {
    createTables(db, schema);
    seedAccounts(db);
    for (const { seed } of resources) seed(db);
    seedDocuments(db, documents);
  });
}
