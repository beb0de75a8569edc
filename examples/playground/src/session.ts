import { createSession } from '../../ui/session.ts';
import { settings } from './settings.ts';

export const session = createSession('sandbox/people');
if (!settings.hasPeople) session.choose(null); // that of an earlier gateway at this address

export function actorName(id: string | null): string | null {
  const { people } = session.state.get();
  if (people.length === 0) return null;
  return people.find(({ systemId }) => systemId === id)?.name ?? 'Service account';
}

/** @throws {SignInError} if there is no token for the chosen person: nothing is sent as someone else */
export async function personHeaders(): Promise<Record<string, string>> {
  const authorization = await session.authorization(session.state.get().personId);
  return authorization === null ? {} : { authorization };
}
