import type { Operation } from './playground-link.ts';

/** A REST call behind an operation, as the gateway reports it in `extensions.upstream`. */
export interface UpstreamCall {
  readonly route: string;
  /** Path with IDs. The same for all reads of one object or list. */
  readonly path: string;
  /** The requested properties. Absent if the call does not name them. */
  readonly fields?: readonly string[];
  /** The requested embedded entities. Absent if the call does not name them. */
  readonly embed?: readonly string[];
  /** `shared`: an identical call of another operation. `cache`: no call was necessary. */
  readonly source: 'dms' | 'shared' | 'cache';
  /** Null if the operation received no response. */
  readonly status: number | null;
  /** Milliseconds since the operation started. */
  readonly startMs: number;
  readonly ms: number;
  readonly attempt: number;
}

/** An operation, or a request for a file, that a screen has sent, with the REST calls behind it. */
export interface TracedOperation {
  readonly id: number;
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription' | 'file';
  /** In milliseconds, from any origin that the operations of a screen share. */
  readonly startMs: number;
  /** Time until the response was complete. */
  readonly ms: number;
  readonly calls: readonly UpstreamCall[];
  readonly operation?: Operation;
}

/** Returns the number of the round of each operation, from 1: a new one starts when one of the round before has ended. */
function roundsOf(operations: readonly TracedOperation[]): number[] {
  let round = 0;
  let endMs = -Infinity;
  return operations.map(({ startMs, ms }) => {
    if (startMs >= endMs) [round, endMs] = [round + 1, Infinity];
    endMs = Math.min(endMs, startMs + ms);
    return round;
  });
}

/**
 * Returns the calls of an operation in the order of their start, each with its round. What is read again about an object,
 * such as a deferred part of it, belongs to the round in which the object was read: it could have been read there.
 */
export function callsInRounds(calls: readonly UpstreamCall[]) {
  let seen = new Map<string, number>();
  let round = 0;
  let endMs = -Infinity;
  return calls
    .toSorted((one, other) => one.startMs - other.startMs)
    .map((call) => {
      const { startMs, ms, source } = call;
      const isRead = isReading(call);
      const key = objectOf(call);
      const known = isRead ? seen.get(key) : undefined;
      if (known !== undefined) [round, endMs] = [known, Infinity];
      else if (startMs >= endMs) [round, endMs] = [round + 1, Infinity];
      // A call that the cache has served takes no time, and ends no round.
      if (source !== 'cache') endMs = Math.min(endMs, startMs + ms);
      if (!isRead) seen = new Map(); // what follows reads the new state
      else if (known === undefined) seen.set(key, round);
      return { ...call, round };
    });
}

function isReading({ route }: UpstreamCall): boolean {
  return /^(?:GET|HEAD) /.test(route);
}

function objectOf({ route, path }: UpstreamCall): string {
  const index = route.split('/').findIndex((segment) => segment.startsWith('{'));
  const [target = ''] = path.split('?');
  return (index > 0 && target.split('/')[index]) || path;
}

/**
 * Returns calls with the full ID of each document in their paths, so that a document that is read by both of its IDs is one
 * object. The result must have both.
 */
export function withFullIds(calls: readonly UpstreamCall[], data: unknown): UpstreamCall[] {
  const fullIds = new Map<string, string>();
  JSON.stringify(data, (_, value: { shortId?: string; fullId?: string } | null) => {
    if (value?.shortId && value.fullId) fullIds.set(value.shortId, value.fullId);
    return value;
  });
  return calls.map((call) => ({
    ...call,
    path: call.path
      .split('/')
      .map((segment) => fullIds.get(segment) ?? segment)
      .join('/'),
  }));
}

/**
 * What a screen costs with the gateway and without it. Beside other operations, subscriptions are only counted: their calls
 * repeat.
 */
export interface ScreenCost extends Readonly<Record<TracedOperation['kind'], number>> {
  readonly rounds: number;
  /** Number of REST calls that a front end without the gateway sends itself: what is known is not read again until a write. */
  readonly calls: number;
  readonly callRounds: number;
}

export function costOf(operations: readonly TracedOperation[]): ScreenCost {
  const count = (kind: string): number => operations.filter((one) => one.kind === kind).length;
  const others = operations.filter(({ kind }) => kind !== 'subscription');
  const requests = (others.length > 0 ? others : operations).toSorted(
    (one, other) => one.startMs - other.startMs,
  );
  const rounds = roundsOf(requests);
  let known = new Set<string>();
  let calls = 0;
  const callRounds = new Set<string>();
  for (const [index, request] of requests.entries()) {
    for (const call of callsInRounds(request.calls)) {
      const key = `${call.route} ${call.path}`;
      if (known.has(key)) continue;
      if (isReading(call)) known.add(key);
      else known = new Set();
      calls += 1;
      // Operations of one round wait at the same time.
      callRounds.add(`${rounds[index]} ${call.round}`);
    }
  }
  return {
    query: count('query'),
    mutation: count('mutation'),
    subscription: count('subscription'),
    file: count('file'),
    rounds: rounds.at(-1) ?? 0,
    calls,
    callRounds: callRounds.size,
  };
}
