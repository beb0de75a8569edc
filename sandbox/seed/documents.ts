import { createHash } from 'node:crypto';
import { renderPng } from '../png.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import type { Document } from '../store/documents.ts';
import { insertDocument } from '../store/documents.ts';
import { insertFile } from '../store/files.ts';
import { insertRecoEntry, setPageTexts } from '../store/recognition.ts';
import { addParticipant, assignTasks } from '../store/tasks.ts';
import { propertiesOf } from '../documents/properties.ts';
import { resolveRoute } from '../documents/route.ts';
import type { Draft } from './drafts.ts';
import { documentCount, draftOf } from './drafts.ts';
import { flowAt, placesOf } from './flows.ts';
import { seedForm } from './forms.ts';
import { seedId } from './ids.ts';
import { headOf, staff } from './people.ts';
import { recoEntriesFor } from './recognition.ts';

/** A seeded file. Its content is written before the rows. */
interface SeedFile {
  readonly id: string;
  readonly document: string;
  readonly recoEntry: string | null;
  readonly position: number;
  readonly name: string;
  readonly content: Uint8Array | 'pdf';
}

interface SeedDocument {
  readonly n: number;
  readonly draft: Draft;
  readonly files: readonly SeedFile[];
}

/** All seeded documents, from which files and rows are created. */
export function draftDocuments(): SeedDocument[] {
  const images = [1, 2, 3, 4].map((seed) => renderPng(160, 48, 3, seed));
  return Array.from({ length: documentCount }, (_, index) => {
    const n = index + 1;
    const draft = draftOf(n);
    const document = seedId.document(n);
    const scan =
      draft.form === 'letter'
        ? [{ name: `scan-${draft.nth + 1}.png`, content: renderPng(210, 297, 30, n) }]
        : [];
    const files: SeedFile[] = [...draft.files, ...scan].map((file, position) => ({
      id: seedId.file(n * 0x10 + position),
      document,
      recoEntry: null,
      position,
      ...file,
    }));
    if (draft.form === 'invoice') {
      for (const [position, entry] of recoEntriesFor(n, draft).entries()) {
        files.push({
          id: seedId.file(n * 0x10 + 8 + position),
          document,
          recoEntry: entry.id,
          position: 0,
          name: `region-${position + 1}.png`,
          content: images[(n + position) % images.length] ?? new Uint8Array(),
        });
      }
    }
    return { n, draft, files };
  });
}

/** Writes the seeded files, before the rows that refer to them. */
export function writeSeedFiles(blobs: Blobs, documents: readonly SeedDocument[]): void {
  for (const { id, content } of documents.flatMap((document) => document.files)) {
    if (content !== 'pdf') blobs.write(id, content);
  }
}

export function seedDocuments(db: Database, documents: readonly SeedDocument[]): void {
  for (const { n, draft, files } of documents) {
    insertOne(db, n, draft);
    for (const { content, ...file } of files) {
      const isPdf = content === 'pdf';
      insertFile(db, {
        ...file,
        size: isPdf ? null : content.length,
        sha256: isPdf ? null : createHash('sha256').update(content).digest('hex'),
      });
    }
  }
  db.run('INSERT INTO counter VALUES (?, ?)', 'document', documentCount);
}

function insertOne(db: Database, n: number, draft: Draft): void {
  const form = seedForm(draft.form);
  const author = authorOf(n, draft);
  const route = resolveRoute(form.process, author, headOf(author));
  const places = placesOf[draft.form];
  const place = places[draft.nth % places.length] ?? 'draft';
  const iteration = n % 23 === 0 ? 2 : 1;
  const { flow, asked, waiting } = flowAt(place, route, iteration);
  const created = new Date(Date.UTC(2026, 0, 5, 7, 0) + n * 36 * 3600 * 1000).toISOString();
  const document: Document = {
    id: seedId.document(n),
    webId: `DOC-${String(n).padStart(4, '0')}`,
    form: form.id,
    author,
    // Half of the users' documents were created by the main account on their behalf.
    createdBy: author.startsWith('api-') || n % 2 === 0 ? creatorOf(author) : author,
    flow,
    properties: propertiesOf({
      form,
      created,
      docnum: `${draft.form.slice(0, 3).toUpperCase()}-${String(draft.nth + 1).padStart(4, '0')}/26`,
      topic: draft.topic,
      seedNumber: n,
    }),
    values: draft.values,
    tags: draft.tags,
    idp: draft.form === 'invoice' ? { languages: ['eng', 'deu'], forced: false } : null,
    created,
    modified: created,
    rev: 1 + asked.length,
  };
  insertDocument(db, document);
  assignTasks(db, document, waiting);
  for (const actor of asked) addParticipant(db, document.id, actor);
  if (place === 'suspended') assignHeldTasks(db, document, asked);
  if (draft.form === 'policy') for (const reader of staff) addParticipant(db, document.id, reader);
  setPageTexts(db, document.id, draft.pages);
  if (draft.form === 'invoice') {
    for (const [position, entry] of recoEntriesFor(n, draft).entries()) {
      insertRecoEntry(db, entry, position);
    }
  }
}

/** A suspended document keeps the tasks of the stage to which it returns. */
function assignHeldTasks(db: Database, document: Document, actors: readonly string[]): void {
  const { held } = document.flow;
  if (held !== null) assignTasks(db, { ...document, flow: { ...document.flow, ...held } }, actors);
}

/**
 * The accounts are the authors of incoming letters and some invoices. The staff are the authors of the other documents,
 * in turn.
 */
function authorOf(n: number, draft: Draft): string {
  if (draft.form === 'letter') return 'api-intake';
  if (draft.form === 'invoice' && draft.nth % 4 === 0) return 'api-gateway';
  return staff[(n * 5 + draft.nth) % staff.length] ?? 'usr-ann';
}

const creatorOf = (author: string) => (author === 'api-intake' ? 'api-intake' : 'api-gateway');
