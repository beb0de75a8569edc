import type { Process } from '../workflow.ts';
import type { Database } from './database.ts';
import { fromJson } from './database.ts';

export const formTable = `
CREATE TABLE form (
  id TEXT PRIMARY KEY, webId TEXT NOT NULL UNIQUE, active INTEGER NOT NULL, systemType INTEGER NOT NULL,
  bodyJson TEXT NOT NULL, processJson TEXT NOT NULL
) WITHOUT ROWID;
`;

/** A document form: its definition, and the process of its documents. */
export interface Form {
  readonly id: string;
  readonly webId: string;
  readonly active: boolean;
  readonly systemType: number;
  readonly body: FormBody;
  readonly process: Process;
}

interface FormBody {
  readonly docformtype: string;
  readonly doctitle: string;
  readonly [title: `doctitle_${string}`]: string;
  readonly status: number;
  readonly doccf: { readonly customFields: readonly CustomField[] };
  readonly docsf: Readonly<Record<string, unknown>>;
  readonly sysprocessunid: string;
  readonly _meta: Readonly<Record<string, unknown>>;
}

export interface CustomField {
  readonly type: string;
  readonly required: boolean;
  readonly prefix: string;
  readonly fieldName: string;
  readonly name: Readonly<Record<string, string>>;
  /** Of a table, whose first row contains their field names. */
  readonly columns?: readonly CustomField[];
}

interface FormRow {
  id: string;
  webId: string;
  active: number;
  systemType: number;
  bodyJson: string;
  processJson: string;
}

export function findForm(db: Database, id: string): Form | undefined {
  const row = db.get<FormRow>('SELECT * FROM form WHERE id = ?', id);
  return row && fromRow(row);
}

export function findFormByName(db: Database, webId: string): Form | undefined {
  const row = db.get<FormRow>('SELECT * FROM form WHERE webId = ?', webId);
  return row && fromRow(row);
}

export function listActiveForms(db: Database): Form[] {
  return db.all<FormRow>('SELECT * FROM form WHERE active = 1 ORDER BY id').map(fromRow);
}

export function insertForm(db: Database, form: Form): void {
  db.run(
    'INSERT INTO form (id, webId, active, systemType, bodyJson, processJson) VALUES (?, ?, ?, ?, ?, ?)',
    form.id,
    form.webId,
    form.active ? 1 : 0,
    form.systemType,
    JSON.stringify(form.body),
    JSON.stringify(form.process),
  );
}

function fromRow(row: FormRow): Form {
  return {
    id: row.id,
    webId: row.webId,
    active: row.active === 1,
    systemType: row.systemType,
    body: fromJson<FormBody>(row.bodyJson),
    process: fromJson<Process>(row.processJson),
  };
}
