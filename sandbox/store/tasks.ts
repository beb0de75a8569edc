import { isOpen } from '../workflow.ts';
import type { Database } from './database.ts';
import type { Document } from './documents.ts';

/**
 * Who is asked for an answer where. A task counts while its document stands in the task's phase, step and
 * iteration and is running, so that suspending, cancelling and moving on need not touch tasks at all.
 */
export const openTaskSql = `SELECT 1 FROM task t WHERE t.actor = ? AND t.done = 0 AND t.document = d.id
  AND t.state = d.state AND t.step = d.step AND t.iteration = d.iteration AND d.status = 2`;

/** Gives each actor a fresh task at the document's place, and makes them its participants for good. */
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

/** Marks the actor's task done and counts the others of the stage that are still waiting. */
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
