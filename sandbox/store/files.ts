import type { Database } from './database.ts';

/** A file of a document, or of one of its recognition entries. */
export interface FileRow {
  readonly id: string;
  readonly document: string;
  readonly recoEntry: string | null;
  readonly position: number;
  readonly name: string;
  /** Null, like the hash, for a seeded PDF that was not downloaded yet. */
  readonly size: number | null;
  readonly sha256: string | null;
}

export function insertFile(db: Database, file: FileRow): void {
  db.run(
    'INSERT INTO file (id, document, recoEntry, position, name, size, sha256) VALUES (?, ?, ?, ?, ?, ?, ?)',
    file.id,
    file.document,
    file.recoEntry,
    file.position,
    file.name,
    file.size,
    file.sha256,
  );
}

export function findFile(db: Database, id: string): FileRow | undefined {
  return db.get<FileRow>('SELECT * FROM file WHERE id = ?', id.toLowerCase());
}

export function setFileContent(db: Database, id: string, size: number, sha256: string): void {
  db.run('UPDATE file SET size = ?, sha256 = ? WHERE id = ?', size, sha256, id);
}

/** `filesList` of a document. */
export function attachmentsOf(
  db: Database,
  documentId: string,
): { id: string; fileName: string }[] {
  return db.all(
    `SELECT id, name AS fileName FROM file WHERE document = ? AND recoEntry IS NULL ORDER BY position`,
    documentId,
  );
}

export function filesOfRecoEntry(
  db: Database,
  entryId: string,
): { id: string; fileName: string }[] {
  return db.all(
    'SELECT id, name AS fileName FROM file WHERE recoEntry = ? ORDER BY position',
    entryId,
  );
}

/** Returns an attachment with one of these hashes, of a document that is not deleted. */
export function findDuplicate(
  db: Database,
  hashes: readonly string[],
): { name: string; document: string } | undefined {
  return db.get(
    `SELECT f.name, d.webId AS document FROM file f JOIN document d ON d.id = f.document
     WHERE f.sha256 IN (SELECT value FROM json_each(?)) AND f.recoEntry IS NULL AND d.state <> 90 LIMIT 1`,
    JSON.stringify(hashes),
  );
}

export function isFileKnown(db: Database, id: string): boolean {
  return db.get('SELECT 1 FROM file WHERE id = ?', id) !== undefined;
}
