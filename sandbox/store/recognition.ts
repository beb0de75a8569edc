import type { Database } from './database.ts';
import { fromJson } from './database.ts';
import type { Values } from './documents.ts';

/** A recognition entry: one form that was identified in a range of pages. */
export interface RecoEntry {
  readonly id: string;
  readonly document: string;
  readonly body: RecoBody;
}

export interface RecoForm {
  readonly form: string | null;
  readonly id: string;
  readonly name: string;
}

interface RecoBody {
  readonly pageIdxStart: number;
  readonly pageIdxEnd: number;
  readonly validated: boolean;
  readonly recoForm: RecoForm;
  readonly valuesByTags: Values;
  readonly recoResult: { readonly recoForm: RecoForm; readonly recoFormConfidence: number };
}

interface RecoRow {
  id: string;
  document: string;
  bodyJson: string;
}

export function recoEntriesOf(db: Database, documentId: string): RecoEntry[] {
  return db
    .all<RecoRow>('SELECT * FROM recoEntry WHERE document = ? ORDER BY position', documentId)
    .map((row) => ({
      id: row.id,
      document: row.document,
      body: fromJson<RecoBody>(row.bodyJson),
    }));
}

export function insertRecoEntry(db: Database, entry: RecoEntry, position: number): void {
  db.run(
    'INSERT INTO recoEntry (id, document, position, bodyJson) VALUES (?, ?, ?, ?)',
    entry.id,
    entry.document,
    position,
    JSON.stringify(entry.body),
  );
}

/** The text of each page in order. Empty if nothing was recognized. */
export function pageTextsOf(db: Database, documentId: string): string[] {
  return db
    .all<{ text: string }>('SELECT text FROM pageText WHERE document = ? ORDER BY page', documentId)
    .map((row) => row.text);
}

export function setPageTexts(db: Database, documentId: string, pages: readonly string[]): void {
  for (const [page, text] of pages.entries()) {
    db.run('INSERT INTO pageText VALUES (?, ?, ?)', documentId, page, text);
  }
}
