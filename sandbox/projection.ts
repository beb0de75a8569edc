import { names } from './http/query-parameters.ts';

/** The fields and embedded entities that a request selects (REST spec, Common parameters). */
export interface Wanted {
  /** Names to include, of documents and all embedded entities. Null means all. */
  readonly fields: ReadonlySet<string> | null;
  readonly embed: ReadonlySet<string>;
}

/** Reads the selection of a request. Unknown names are ignored. */
export function wantedFrom(query: URLSearchParams): Wanted {
  const fields = names(query, 'fields');
  return {
    fields: fields === null ? null : new Set(fields),
    embed: new Set(names(query, 'embed')),
  };
}

/** The entity with the selected fields only. */
export function pick(
  entity: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string> | null,
): Record<string, unknown> {
  if (fields === null) return { ...entity };
  return Object.fromEntries(Object.entries(entity).filter(([name]) => fields.has(name)));
}
