import { readPerson, writePerson } from './playground-link.ts';
import { createStore } from './store.ts';

export class SignInError extends Error {}

export interface Person {
  readonly systemId: string;
  readonly name: string;
  readonly unit: string;
  readonly roles: readonly string[];
}

interface SessionState {
  /** Everyone who can be chosen. Empty if the gateway offers no choice. */
  readonly people: readonly Person[];
  /** System ID of the chosen person. Null: the account of the gateway. */
  readonly personId: string | null;
}

export type Session = ReturnType<typeof createSession>;

interface Tokens {
  readonly byPerson: ReadonlyMap<string, string>;
  readonly expiresAt: number;
}

interface PeopleResponse {
  readonly people: readonly (Person & { readonly token: string })[];
  readonly expiresAt: string;
}

/** A token is renewed this long before it expires, in milliseconds, or at half of a shorter lifetime. */
const renewalMarginMs = 60_000;
/** A request does not start with a token that expires within this time, in milliseconds. */
const requestMarginMs = 5000;

/** @param url of the people of the sandbox, each with a token */
export function createSession(url: string) {
  const state = createStore<SessionState>({ people: [], personId: readPerson() });
  let tokens: Tokens | null = null;
  let renewing: Promise<boolean> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const choose = (personId: string | null): void => {
    writePerson(personId);
    state.set({ ...state.get(), personId });
  };
  const fetchTokens = async (): Promise<boolean> => {
    const response = await fetch(url, { cache: 'no-store' });
    if (response.status === 404) {
      // Not the embedded sandbox, or one whose people may not sign in from this machine.
      choose(null);
      return false;
    }
    if (!response.ok) throw new Error(`The people cannot be listed: status ${response.status}.`);
    const { people, expiresAt } = (await response.json()) as PeopleResponse;
    tokens = {
      byPerson: new Map(people.map(({ systemId, token }) => [systemId, token])),
      expiresAt: Date.parse(expiresAt),
    };
    const { personId } = state.get();
    if (personId !== null && !tokens.byPerson.has(personId)) choose(null);
    state.set({
      ...state.get(),
      people: people.map(({ systemId, name, unit, roles }) => ({ systemId, name, unit, roles })),
    });
    const lifetimeMs = tokens.expiresAt - Date.now();
    clearTimeout(timer);
    const waitMs = Math.max(lifetimeMs - renewalMarginMs, lifetimeMs / 2, 1000);
    timer = setTimeout(() => void renew().catch(() => {}), waitMs);
    return true;
  };
  /** Resolves with false if there is nobody to choose. */
  const renew = async (): Promise<boolean> => {
    renewing ??= fetchTokens().finally(() => (renewing = null));
    return renewing;
  };
  return {
    state,
    choose,
    renew,
    /**
     * Returns the `Authorization` header of a person, with a token that is still valid. Null if none is necessary.
     *
     * @throws {SignInError} if there is no token for the person: a request must not be sent as someone else
     */
    async authorization(personId: string | null): Promise<string | null> {
      if (personId === null) return null;
      // A timer does not run while the computer sleeps.
      const isValid = tokens !== null && tokens.expiresAt - Date.now() > requestMarginMs;
      if (!isValid) {
        await renew().catch((cause: unknown) => {
          throw new SignInError('The tokens cannot be renewed.', { cause });
        });
      }
      const token = tokens?.byPerson.get(personId);
      if (token === undefined) throw new SignInError('There is no token for this person.');
      return `Bearer ${token}`;
    },
  };
}
