/** The columns of `_meta`. */
export interface MetaColumns {
  created: string;
  modified: string;
  rev: number;
}

/** `_meta`, which every stored entity has (REST spec, General conventions 4). */
export function metaOf(row: MetaColumns): {
  _created: string;
  _lastmodified: string;
  _rev: number;
} {
  return { _created: row.created, _lastmodified: row.modified, _rev: row.rev };
}
