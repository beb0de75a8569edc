import type { IncomingMessage } from 'node:http';
import type { HttpExchange } from './http-exchange.ts';

export const readMethods = ['GET', 'HEAD'];

export interface Endpoint {
  readonly kind?: string;
  /** Default: those that read. */
  readonly methods?: readonly string[];
  /** Whether it answers under any host name. Its response contains nothing that a page of another site must not read. */
  readonly anyHost?: boolean;
  /** Whether it is answered although too many requests are in progress. */
  readonly isProbe?: boolean;
  /** Whether a request can last, because it has a body or waits for the DMS. It is then rejected during a shutdown. */
  readonly isLong?: boolean;
  matches?(req: IncomingMessage): boolean;
  answer(exchange: HttpExchange, path: string): Promise<void> | void;
}

/** Endpoints by path. The end `/*` stands for all paths below. Null: the path does not exist, whatever later tables say. */
export type Endpoints = Readonly<Record<string, Endpoint | null>>;

export type FindEndpoint = (path: string, req: IncomingMessage) => Endpoint | undefined;

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
