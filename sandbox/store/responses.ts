import { newFullId, timestamp } from '../ids.ts';
import type { Database } from './database.ts';
import type { Document } from './documents.ts';
import type { MetaColumns } from './meta.ts';
import { metaOf } from './meta.ts';
import { hasOpenTask } from './tasks.ts';

export interface Response extends MetaColumns {
  readonly id: string;
  readonly document: string;
  readonly author: string;
  readonly state: number;
  readonly step: number;
  readonly iteration: number;
  /** 1: open, 2: processed. */
  readonly status: number;
  /** The action code with which it was processed. 0 while it is open. */
  readonly action: number;
  readonly content: string;
  readonly resolution: string;
  readonly assignee: string;
}

export function findResponse(db: Database, id: string): Response | undefined {
  return db.get<Response>('SELECT * FROM response WHERE id = ?', id.toLowerCase());
}

/**
 * Returns the open response of an actor in the current stage of the document, and creates it if necessary. Null if the
 * actor has no open task.
 */
export function prepareResponse(db: Database, document: Document, actor: string): Response | null {
  const { state, step, iteration } = document.flow;
  if (!hasOpenTask(db, document, actor)) return null;
  const waiting = db.get<Response>(
    `SELECT * FROM response WHERE document = ? AND author = ? AND state = ? AND step = ? AND iteration = ?
       AND status = 1`,
    document.id,
    actor,
    state,
    step,
    iteration,
  );
  if (waiting !== undefined) return waiting;
  const now = timestamp();
  const response: Response = {
    id: newFullId(),
    document: document.id,
    author: actor,
    state,
    step,
    iteration,
    status: 1,
    action: 0,
    content: '',
    resolution: newFullId(),
    assignee: actor,
    created: now,
    modified: now,
    rev: 1,
  };
  saveResponse(db, response);
  return response;
}

export function saveResponse(db: Database, response: Response): void {
  db.run(
    `INSERT INTO response (id, document, author, state, step, iteration, status, action, content, resolution,
       assignee, created, modified, rev)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, action = excluded.action, content = excluded.content,
       modified = excluded.modified, rev = excluded.rev`,
    response.id,
    response.document,
    response.author,
    response.state,
    response.step,
    response.iteration,
    response.status,
    response.action,
    response.content,
    response.resolution,
    response.assignee,
    response.created,
    response.modified,
    response.rev,
  );
}

/** The DocResponse in a response body. `itearation` is the spelling of the specification. */
export function responseToWire(response: Response): Record<string, unknown> {
  return {
    _id: response.id,
    _ref: response.document,
    state: response.state,
    status: response.status,
    taskstatus: response.action,
    resolid: response.resolution,
    resolto: response.assignee,
    content: response.content,
    step: response.step,
    itearation: response.iteration,
    author: response.author,
    _meta: metaOf(response),
  };
}
