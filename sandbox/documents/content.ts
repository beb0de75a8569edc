import { Readable } from 'node:stream';
import type { StoredContent } from '../http/response.ts';
import { renderPdf } from '../pdf.ts';
import type { Service } from '../service.ts';
import type { FileRow } from '../store/files.ts';
import { findFile, setFileContent } from '../store/files.ts';
import { pageTextsOf } from '../store/recognition.ts';

/**
 * The content of a file on disk. Seeded PDFs are rendered from their page texts on first download, because rendering a
 * hundred of them would delay the first start by seconds.
 */
export async function contentOf(service: Service, file: FileRow): Promise<StoredContent> {
  const { db, blobs } = service;
  const path = blobs.pathOf(file.id);
  if (file.size !== null) return { path, size: file.size };

  const pages = pageTextsOf(db, file.document);
  const row = db.get<{ created: string }>(
    'SELECT created FROM document WHERE id = ?',
    file.document,
  );
  const pdf = await renderPdf({ title: file.name, created: row?.created ?? '', pages });
  const received = await blobs.receive(Readable.from([pdf]));
  const { size, sha256 } = received;
  // If two downloads render the same file at once, the later one finds it on disk.
  if ((findFile(db, file.id)?.size ?? null) === null) {
    blobs.keep([{ fileId: file.id, received }]);
    setFileContent(db, file.id, size, sha256);
  } else {
    blobs.discard(received);
  }
  return { path, size };
}
