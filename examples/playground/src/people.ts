import { create } from 'zustand';
import { readPerson, writePerson } from '../../ui/playground-link.ts';
import { settings } from './settings.ts';

interface Person {
  readonly systemId: string;
  readonly name: string;
  readonly unit: string;
  readonly token: string;
}

interface People {
  readonly people: readonly Person[];
  readonly expiresAt: number;
  /** System ID of the person as whom operations are sent. Null: the service account. */
  readonly chosenId: string | null;
}

const renewBeforeMs = 60_000;

export const usePeople = create<People>(() => ({
  people: [],
  expiresAt: 0,
  chosenId: settings.hasPeople ? readPerson() : null,
}));

export function choosePerson(chosenId: string | null): void {
  writePerson(chosenId);
  usePeople.setState({ chosenId });
}

/**
 * Fetches the people with new tokens.
 *
 * @throws {Error} if the sandbox does not respond
 */
export async function renewTokens(): Promise<void> {
  const response = await fetch('sandbox/people');
  // SANDBOX_SIGN_IN=local, and this browser is on another machine.
  if (response.status === 404) return choosePerson(null);
  if (!response.ok) {
    throw new Error(`The people of the sandbox cannot be read (status ${response.status}).`);
  }
  const { people, expiresAt } = (await response.json()) as { people: Person[]; expiresAt: string };
  usePeople.setState({ people, expiresAt: Date.parse(expiresAt) });
  if (chosenPerson() === undefined) choosePerson(null);
}

export function chosenPerson(): Person | undefined {
  const { people, chosenId } = usePeople.getState();
  return people.find(({ systemId }) => systemId === chosenId);
}

export function actorName(id: string | null): string | null {
  const { people } = usePeople.getState();
  if (people.length === 0) return null;
  return people.find(({ systemId }) => systemId === id)?.name ?? 'Service account';
}

/**
 * The headers of a request of the chosen person. Renews the tokens if they expire soon.
 *
 * @throws {Error} if the sandbox does not know the person: nothing is sent as someone else
 */
export async function personHeaders(): Promise<Record<string, string>> {
  const { chosenId, expiresAt } = usePeople.getState();
  if (chosenId === null) return {};
  if (Date.now() > expiresAt - renewBeforeMs) await renewTokens();
  const person = chosenPerson();
  if (person === undefined) throw new Error(`The sandbox does not know the person ${chosenId}.`);
  return { authorization: `Bearer ${person.token}` };
}
