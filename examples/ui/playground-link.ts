import { readStorage, writeStorage } from './storage.ts';

export interface Operation {
  readonly query: string;
  /** JSON text. Empty or absent: none. */
  readonly variables?: string | undefined;
  /** Absent or null: the first operation. */
  readonly operationName?: string | null | undefined;
}

export function linkOf(operation: Operation, personId: string | null): string {
  const { query, variables, operationName } = operation;
  const params = new URLSearchParams({
    query,
    ...(variables && { variables }),
    ...(operationName && { operationName }),
  });
  return `?${params}${personHash(personId)}`;
}

/** The fragment of a link that carries the person who uses a page. It does not reach the server. */
export function personHash(personId: string | null): string {
  return personId === null ? '' : `#person=${encodeURIComponent(personId)}`;
}

/** Of this browser tab, in both pages. */
const personKey = 'inbox.person';

/** Returns the person of the link that has led here, otherwise the one that was chosen in this browser tab. */
export function readPerson(): string | null {
  const id = new URLSearchParams(location.hash.slice(1)).get('person');
  if (id === null) return readStorage('sessionStorage', personKey);
  history.replaceState(history.state, '', location.pathname + location.search);
  writePerson(id);
  return id;
}

/** Keeps the choice of a person in this browser tab. Null: the account of the gateway. */
export function writePerson(id: string | null): void {
  writeStorage('sessionStorage', personKey, id);
}
