import { create } from 'zustand';

/** A person of the sandbox. */
interface Person {
  readonly systemId: string;
  readonly name: string;
  readonly unit: string;
  readonly token: string;
}

interface People {
  /** Those who can be chosen. Empty: nobody. */
  readonly people: readonly Person[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** System ID of the person as whom operations are sent. Null: the service account. */
  readonly chosenId: string | null;
}

/** How long before their end tokens are replaced, in milliseconds. */
const renewBeforeMs = 60_000;

/** The people of the sandbox, and the one who was chosen. */
export const usePeople = create<People>(() => ({ people: [], expiresAt: 0, chosenId: null }));

/**
 * Fetches the people with new tokens.
 *
 * @throws {Error} if the sandbox does not respond
 */
export async function renewTokens(): Promise<void> {
  const response = await fetch('sandbox/people');
  if (response.status === 404) return; // SANDBOX_SIGN_IN=local, and this browser is on another machine
  if (!response.ok) {
    throw new Error(`The people of the sandbox cannot be read (status ${response.status}).`);
  }
  const { people, expiresAt } = (await response.json()) as { people: Person[]; expiresAt: string };
  usePeople.setState({ people, expiresAt: Date.parse(expiresAt) });
}

/** The person as whom operations are sent. Undefined: the service account. */
export function chosenPerson(): Person | undefined {
  const { people, chosenId } = usePeople.getState();
  return people.find(({ systemId }) => systemId === chosenId);
}

/** The headers of a request of the chosen person. Renews the tokens if they expire soon. */
export async function personHeaders(): Promise<Record<string, string>> {
  const { chosenId, expiresAt } = usePeople.getState();
  if (chosenId === null) return {};
  if (Date.now() > expiresAt - renewBeforeMs) await renewTokens();
  return { authorization: `Bearer ${chosenPerson()?.token ?? ''}` };
}
