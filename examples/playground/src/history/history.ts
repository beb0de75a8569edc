import { readStorage, writeStorage } from '../../../ui/storage.ts';
import { createStore } from '../../../ui/store.ts';

/** An operation that was run. Its headers are not stored, because they can contain credentials. */
export interface PastOperation {
  readonly name: string;
  readonly query: string;
  readonly variables: string;
  /** When it was run last, in milliseconds since 1970. Absent for an entry of an earlier version. */
  readonly atMs?: number;
  /** System ID of the person. Null: the service account. */
  readonly personId?: string | null;
}

const key = 'playground:history';
const maxLength = 20;

export const pastOperations = createStore(stored());

function stored(): readonly PastOperation[] {
  try {
    return JSON.parse(readStorage('localStorage', key) ?? '[]') as PastOperation[];
  } catch {
    return [];
  }
}

export function addToHistory(operation: PastOperation): void {
  const others = pastOperations.get().filter((one) => !isSame(one, operation));
  store([operation, ...others].slice(0, maxLength));
}

export function removeFromHistory(operation?: PastOperation): void {
  store(operation ? pastOperations.get().filter((one) => one !== operation) : []);
}

function isSame(one: PastOperation, other: PastOperation): boolean {
  return one.query === other.query && one.variables === other.variables;
}

function store(operations: readonly PastOperation[]): void {
  pastOperations.set(operations);
  writeStorage('localStorage', key, JSON.stringify(operations));
}
