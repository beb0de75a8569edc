import { Readable } from 'node:stream';
import type { StoredContent } from '../http/response.ts';
import { renderPdf } from '../pdf.ts';
import type { Service } from '../service.ts';
import type { FileRow } from '../store/files.ts';
import { findFile, setFileContent } from '../store/files.ts';
import { pageTextsOf } from '../store/recognition.ts';

/**
 * A file's content on disk. The PDFs of the seed are made from their page texts at the first download:
 * making a hundred of them at the first start would cost seconds.
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
  // Two first downloads at once: the later one finds the content there.
  if ((findFile(db, file.id)?.size ?? null) === null) {
    blobs.keep([{ fileId: file.id, received }]);
    setFileContent(db, file.id, size, sha256);
  } else {
    blobs.discard(received);
  }
  return { path, size };
}
