import { timestamp } from '../ids.ts';
import { unchanged } from '../problem.ts';
import type { Database } from '../store/database.ts';
import type { Document } from '../store/documents.ts';
import { updateDocument } from '../store/documents.ts';
import { findForm } from '../store/forms.ts';
import { assignTasks } from '../store/tasks.ts';
import type { Moved } from '../workflow.ts';
import { move, phase, sendsToPeople } from '../workflow.ts';

/** Stores a document after a move, and assigns the tasks of its new stage. */
export function storeMove(db: Database, document: Document, moved: Moved): Document {
  const changed = updateDocument(db, { ...document, flow: moved.flow }, timestamp());
  if (moved.assign !== null) assignTasks(db, changed, moved.assign);
  return changed;
}

/**
 * Executes a phase action. Deletion blocks the document first, which creates two revisions (REST spec, Documents 5).
 * @throws {Problem} 422 if the action does not apply, or would send a document with empty required fields to
 * participants
 */
export function moveDocument(db: Database, document: Document, action: number): Document {
  if (sendsToPeople(action)) requireFields(db, document);
  const blocked =
    action === 111 && document.flow.state !== phase.blocked
      ? storeMove(db, document, move(document.flow, 110))
      : document;
  return storeMove(db, blocked, move(blocked.flow, action));
}

function requireFields(db: Database, document: Document): void {
  const fields = findForm(db, document.form)?.body.doccf.customFields ?? [];
  const missing = fields.filter((field) => field.required && isEmpty(document, field.fieldName));
  if (missing.length > 0) {
    const names = missing.map((field) => field.fieldName).join(', ');
    throw unchanged(`Required fields are empty: ${names}.`);
  }
}

function isEmpty(document: Document, tag: string): boolean {
  const value = document.values[tag];
  return value === undefined || value.length === 0;
}
