import { badRequest, notFound, Problem } from '../problem.ts';
import type { Handler } from './handler.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A route. `path` consists of literal segments and `{parameters}`. If several routes match, the first one is used. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly handle: Handler;
}

export const get = (path: string, handle: Handler): Route => ({ method: 'GET', path, handle });
export const post = (path: string, handle: Handler): Route => ({ method: 'POST', path, handle });

interface Match {
  readonly handle: Handler;
  readonly params: Readonly<Record<string, string>>;
}

export type Router = (method: string, path: string) => Match;

/**
 * Creates a function that finds the handler of a request. The handler of GET also serves HEAD. The function throws a
 * {@link Problem}: 400 for a path that cannot be decoded, 404 for an unknown path, 405 with `Allow` for an unsupported
 * method.
 */
export function createRouter(routes: readonly Route[]): Router {
  const table = routes.map((route) => ({ ...route, segments: route.path.split('/') }));

  return (method, path) => {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const segments = path.split('/').map(decode);
    const fitting = table.filter((route) => fits(route.segments, segments));
    if (fitting.length === 0) throw notFound('There is no such endpoint.');
    const route = fitting.find((candidate) => candidate.method === wanted);
    if (route === undefined) {
      const allowed = new Set<string>(fitting.map((candidate) => candidate.method));
      if (allowed.has('GET')) allowed.add('HEAD');
      throw new Problem(405, 'The endpoint does not support this method.', {
        Allow: [...allowed].join(', '),
      });
    }
    const params: Record<string, string> = {};
    for (const [index, segment] of route.segments.entries()) {
      if (isParameter(segment)) params[segment.slice(1, -1)] = segments[index] ?? '';
    }
    return { handle: route.handle, params };
  };
}

const isParameter = (segment: string) => segment.startsWith('{');

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => {
      const segment = segments[index];
      return isParameter(part) ? segment !== '' : part === segment;
    })
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('The path is not correctly percent-encoded.');
  }
}
