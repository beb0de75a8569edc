import type { IncomingMessage } from 'node:http';
import type { HttpExchange, RequestKind } from './http-exchange.ts';

/** What answers the requests for a path. */
export interface Endpoint {
  /** What is counted, logged and traced. Default: `other`, which is only counted. */
  readonly kind?: RequestKind;
  /** Default: GET and HEAD. With OPTIONS, pages of the origins in CORS_ORIGINS can send the requests. */
  readonly methods?: readonly string[];
  /** Whether it answers under any host name. Its response contains nothing that a page of another site must not read. */
  readonly anyHost?: boolean;
  /** Whether it is answered although too many requests are in progress. */
  readonly isProbe?: boolean;
  /** Whether a request can last, because it has a body or waits for the DMS. It is then rejected during a shutdown. */
  readonly isLong?: boolean;
  /** Whether it answers this request. If not, the next endpoint of the path does. Default: it answers all. */
  matches?(req: IncomingMessage): boolean;
  /** Rejects with the error to send to the client. */
  answer(exchange: HttpExchange, path: string): Promise<void> | void;
}

/** Endpoints by path. The end `/*` stands for all paths below. Null: the path does not exist, whatever later tables say. */
export type Endpoints = Readonly<Record<string, Endpoint | null>>;

/** Returns the endpoint of a request. Undefined if there is none. */
export type FindEndpoint = (path: string, req: IncomingMessage) => Endpoint | undefined;

/** Joins tables of endpoints. Those of the first have precedence, and a path over those with `/*`. */
export function joinEndpoints(tables: readonly Endpoints[]): FindEndpoint {
  const byPath = new Map<string, (Endpoint | null)[]>();
  const below: (readonly [prefix: string, Endpoint | null])[] = [];
  for (const [path, endpoint] of tables.flatMap((table) => Object.entries(table))) {
    if (path.endsWith('/*')) below.push([path.slice(0, -1), endpoint]);
    else byPath.set(path, [...(byPath.get(path) ?? []), endpoint]);
  }
  return (path, req) => {
    const answers = (one: Endpoint | null): boolean => one?.matches?.(req) ?? true;
    let found = byPath.get(path)?.find(answers);
    if (found === undefined) {
      found = below.find(([prefix, one]) => path.startsWith(prefix) && answers(one))?.[1];
    }
    return found ?? undefined;
  };
}
