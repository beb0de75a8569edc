import { names } from './http/query-parameters.ts';

/** What a request asks of documents (spec, common parameters). */
export interface Wanted {
  /** Names to include, of documents and of everything embedded in them; null means all. */
  readonly fields: ReadonlySet<string> | null;
  readonly embed: ReadonlySet<string>;
}

/** Names that the specification does not know are ignored: they ask for nothing that is there. */
export function wantedFrom(query: URLSearchParams): Wanted {
  const fields = names(query, 'fields');
  return {
    fields: fields === null ? null : new Set(fields),
    embed: new Set(names(query, 'embed')),
  };
}

/** The entity with only the wanted fields. */
export function pick(
  entity: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string> | null,
): Record<string, unknown> {
  if (fields === null) return { ...entity };
  return Object.fromEntries(Object.entries(entity).filter(([name]) => fields.has(name)));
}
