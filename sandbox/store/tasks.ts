import { isOpen } from '../workflow.ts';
import type { Database } from './database.ts';
import type { Document } from './documents.ts';

/**
 * Selects open tasks. A task is open while its document is running in the task's phase, step and iteration. Suspending,
 * cancelling and moving a document therefore need not change tasks.
 */
export const openTaskSql = `SELECT 1 FROM task t WHERE t.actor = ? AND t.done = 0 AND t.document = d.id
  AND t.state = d.state AND t.step = d.step AND t.iteration = d.iteration AND d.status = 2`;

/** Assigns each actor a new task at the position of the document, and records them as participants. */
export function assignTasks(db: Database, document: Document, actors: readonly string[]): void {
  const { id, flow } = document;
  db.run(
    'DELETE FROM task WHERE document = ? AND state = ? AND step = ? AND iteration = ?',
    id,
    flow.state,
    flow.step,
    flow.iteration,
  );
  for (const actor of actors) {
    db.run(
      'INSERT OR IGNORE INTO task (document, actor, state, step, iteration) VALUES (?, ?, ?, ?, ?)',
      id,
      actor,
      flow.state,
      flow.step,
      flow.iteration,
    );
    addParticipant(db, id, actor);
  }
}

export function addParticipant(db: Database, documentId: string, actor: string): void {
  db.run('INSERT OR IGNORE INTO participant VALUES (?, ?)', actor, documentId);
}

export function hasOpenTask(db: Database, document: Document, actor: string): boolean {
  const { id, flow } = document;
  if (!isOpen(flow)) return false;
  const task = db.get(
    `SELECT 1 FROM task WHERE document = ? AND actor = ? AND state = ? AND step = ? AND iteration = ? AND done = 0`,
    id,
    actor,
    flow.state,
    flow.step,
    flow.iteration,
  );
  return task !== undefined;
}

/** Marks the task of an actor as done, and returns the number of open tasks of the stage. */
export function completeTask(db: Database, document: Document, actor: string): number {
  const { id, flow } = document;
  const place = [id, flow.state, flow.step, flow.iteration];
  db.run(
    'UPDATE task SET done = 1 WHERE document = ? AND state = ? AND step = ? AND iteration = ? AND actor = ?',
    ...place,
    actor,
  );
  const waiting = db.get<{ n: number }>(
    'SELECT count(*) AS n FROM task WHERE document = ? AND state = ? AND step = ? AND iteration = ? AND done = 0',
    ...place,
  );
  return waiting?.n ?? 0;
}
