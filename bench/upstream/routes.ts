import { TOTAL_IN_VIEW, document, listValue, person } from './data.ts';
import { RANGES, credentials, parseDocumentId, parseListValueId } from './ids.ts';
import { project } from './projection.ts';

export interface Answer {
  readonly status: number;
  readonly route: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const JSON_TYPE = ['content-type', 'application/json;charset=UTF-8'];

/** A JSON response. `route` is the name by which calls are counted. */
export function json(route: string, value: unknown, status = 200, more: string[] = []): Answer {
  const body = Buffer.from(JSON.stringify(value));
  const headers = [...JSON_TYPE, 'content-length', String(body.length), ...more];
  return { status, route, headers, body };
}

export const refuse = (status: number, route = 'refused'): Answer => json(route, {}, status);

/** Returns the caller of the two headers. Undefined if they are missing or do not match. */
export function callerOf(headers: NodeJS.Dict<string | string[]>): number | undefined {
  const authorization = headers['authorization'];
  const match = /^Bearer bench-(\d+)$/.exec(String(authorization));
  if (match === null) return undefined;
  const caller = Number(match[1]);
  return credentials(caller).runAs === headers['svc-run-as'] ? caller : undefined;
}

/** Returns the response of a GET request of the workloads. Undefined for any other path. */
export function answerGet(caller: number, target: string): Answer {
  const url = new URL(target, 'http://upstream');
  const [kind, id, extra] = url.pathname.replace('/api/v2/', '').split('/').map(decodeURIComponent);
  if (kind === 'docForm' && id === 'view') return inView(caller, extra ?? '', url.searchParams);
  if (extra !== undefined || id === undefined) return kind === 'sysForm' ? forms() : refuse(404);
  if (kind === 'docForm') return oneDocument(caller, id, url.searchParams);
  if (kind === 'person') return json('GET person', person(caller, id));
  if (kind === 'listValue') return oneListValue(caller, id);
  return refuse(404);
}

function oneDocument(caller: number, id: string, query: URLSearchParams): Answer {
  const short = /^DOC-(\d+)-(\d+)$/.exec(id);
  const key = short ? { caller: Number(short[1]), index: Number(short[2]) } : parseDocumentId(id);
  if (key === undefined) return refuse(404, 'GET docForm');
  if (key.caller !== caller) return refuse(403, 'GET docForm');
  const { fields, embed } = projection(query);
  return json('GET docForm', project(document(caller, key.index), fields, embed));
}

function inView(caller: number, view: string, query: URLSearchParams): Answer {
  const first = Number(query.get('first') ?? 0);
  const size = Number(query.get('pageSize') ?? 10);
  if (!(size >= 1 && size <= 100)) return refuse(400, 'GET docForm/view');
  const base = view === 'repository' ? RANGES.repository : RANGES.inbox;
  const { fields, embed } = projection(query);
  const count = Math.max(0, Math.min(size, TOTAL_IN_VIEW - first));
  const page = Array.from({ length: count }, (_, at) =>
    project(document(caller, base + first + at), fields, embed),
  );
  return json('GET docForm/view', page, 200, ['svc-total-count', String(TOTAL_IN_VIEW)]);
}

function oneListValue(caller: number, id: string): Answer {
  const level = parseListValueId(id);
  if (level === undefined) return refuse(404, 'GET listValue');
  return json('GET listValue', listValue(caller, level));
}

function forms(): Answer {
  return json('GET sysForm', [{ _id: '64f0a0000000000000000001', _id_web: 'invoice', status: 1 }]);
}

function projection(query: URLSearchParams): { fields: string; embed: string } {
  return { fields: query.get('fields') ?? '', embed: query.get('embed') ?? '' };
}
