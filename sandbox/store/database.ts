import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';

export type Param = SQLInputValue;

/**
 * The only access to SQLite: it prepares each statement once and groups writes. No other module imports node:sqlite.
 */
export interface Database {
  all<Row>(sql: string, ...params: Param[]): Row[];
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names its own columns
  get<Row>(sql: string, ...params: Param[]): Row | undefined;
  /** Executes a write and returns the number of changed rows. */
  run(sql: string, ...params: Param[]): number;
  /** Runs `work` as one transaction. It is on disk when this function returns, and rolled back when `work` throws. */
  transaction<Result>(work: () => Result): Result;
  exec(sql: string): void;
  close(): void;
}

/**
 * Opens or creates the database file. A commit is on disk before it returns (`synchronous=FULL`), so that acknowledged
 * writes survive a killed process and a power failure. The file stays locked: a second sandbox with the same data
 * directory fails to start instead of removing the uploads of the first one.
 */
export function openDatabase(file: string): Database {
  const raw = new DatabaseSync(file);
  try {
    raw.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
    `);
  } catch (error) {
    raw.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  let depth = 0;

  function statement(sql: string): StatementSync {
    let known = statements.get(sql);
    if (known === undefined) {
      known = raw.prepare(sql);
      statements.set(sql, known);
    }
    return known;
  }

  function transaction<Result>(work: () => Result): Result {
    if (depth > 0) return work();
    raw.exec('BEGIN IMMEDIATE');
    depth += 1;
    try {
      const result = work();
      raw.exec('COMMIT');
      return result;
    } catch (error) {
      // A commit that fails for lack of disk space may already be rolled back.
      if (raw.isTransaction) raw.exec('ROLLBACK');
      throw error;
    } finally {
      depth -= 1;
    }
  }

  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement's own columns, named by its caller
    all: <Row>(sql: string, ...params: Param[]) => statement(sql).all(...params) as Row[],
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
    get: <Row>(sql: string, ...params: Param[]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      statement(sql).get(...params) as Row | undefined,
    run: (sql, ...params) => Number(statement(sql).run(...params).changes),
    transaction,
    exec: (sql) => raw.exec(sql),
    close: () => {
      statements.clear();
      raw.close();
    },
  };
}

/** Reads a `…Json` column, which the sandbox itself has written. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- JSON has no type of its own
export function fromJson<Content>(text: string): Content {
  const content: Content = JSON.parse(text);
  return content;
}
