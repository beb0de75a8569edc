import { Refusal } from './refusal.ts';

/** What an answer of /graphql can be. Under `application/json`, clients expect 200 for whatever GraphQL says. */
export type MediaType = 'application/json' | 'application/graphql-response+json';

const known = new Map<string, MediaType | null>();
const mostKnown = 200;

/**
 * The media type that an Accept header asks for; without one, `application/json`. Clients send few different
 * headers, so what each means is remembered.
 *
 * @throws {Refusal} 406 where it asks for neither
 */
export function mediaTypeFor(accept: string | undefined): MediaType {
  if (accept === undefined || accept === '') return 'application/json';
  let type = known.get(accept);
  if (type === undefined) {
    type = preferred(accept);
    if (known.size < mostKnown) known.set(accept, type);
  }
  if (type !== null) return type;
  const message = 'Accept application/json or application/graphql-response+json.';
  throw new Refusal(406, 'BAD_USER_INPUT', message);
}

function preferred(accept: string): MediaType | null {
  let best: { readonly type: MediaType; readonly weight: number } | null = null;
  for (const part of accept.toLowerCase().split(',')) {
    const [range, ...parameters] = part.split(';').map((piece) => piece.trim());
    const type = typeOf(range ?? '');
    const weight = Number(valueOf(parameters, 'q') ?? 1);
    const charset = valueOf(parameters, 'charset') ?? 'utf-8';
    if (type === null || charset !== 'utf-8' || !(weight > 0)) continue;
    if (best === null || weight > best.weight) best = { type, weight };
  }
  return best?.type ?? null;
}

function typeOf(range: string): MediaType | null {
  switch (range) {
    case 'application/graphql-response+json':
      return range;
    case 'application/json':
    case 'application/*':
    case '*/*':
      return 'application/json';
    default:
      return null;
  }
}

function valueOf(parameters: readonly string[], name: string): string | undefined {
  return parameters.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
}
