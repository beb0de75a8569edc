import type { Call } from './call.ts';
import type { Caller, Operation } from './caller.ts';
import type { Answer, Http, WriteAnswer, WriteCall } from './http.ts';
import type { ReferenceNoun } from './reference-cache.ts';

/** What every endpoint is bound to. */
export interface Endpoint {
  readonly http: Http;
  readonly caller: Caller;
  readonly operation: Operation;
}

export type Target = Pick<Call, 'route' | 'path' | 'why'>;

export function read({ http, caller, operation }: Endpoint, target: Target): Promise<Answer> {
  return http.read({ ...target, caller, operation, method: 'GET' });
}

/** Reads reference data: from memory where the same caller asked for it a short while ago. */
export function readReference<T>(
  endpoint: Endpoint,
  noun: ReferenceNoun,
  target: Target,
  translate: (answer: Answer) => T,
): Promise<T> {
  const { http, caller } = endpoint;
  return http.reference.read(noun, caller.key, target.path, async () => {
    const answer = await read(endpoint, target);
    return { value: translate(answer), bytes: answer.bytes };
  });
}

/**
 * Writes, and forgets the nouns that it touches, for every identity: before, so that nobody is answered from memory
 * while it runs, and after, so that nothing read meanwhile is kept.
 */
export async function write(
  { http, caller, operation }: Endpoint,
  touched: readonly ReferenceNoun[],
  call: Target & Pick<WriteCall, 'method' | 'json' | 'bodyWanted'>,
): Promise<WriteAnswer> {
  const forget = (): void => {
    for (const noun of touched) http.reference.drop(noun);
  };
  forget();
  try {
    return await http.write({ ...call, caller, operation });
  } finally {
    forget();
  }
}
