import type { WireDocument, WireEntity } from './data.ts';

const EMBEDDED = ['valuesByTags', 'filesList', 'refByDocs', 'recoData', 'docResponse'] as const;

/**
 * Applies `fields` and `embed` to a document (REST spec, Common parameters).
 *
 * Without `fields`, every plain property is returned. `_id` is always returned. An embedded entity is returned if
 * `embed` names it (`filesList` also if `fields` does). It is restricted to the names in `fields`, if `fields` contains
 * any of its properties. Values by tag are never restricted.
 */
export function project(document: WireDocument, fields: string, embed: string): WireEntity {
  const names = fields === '' ? undefined : new Set(fields.split(','));
  const embeds = new Set(embed.split(','));
  const sent: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(document)) {
    const embedded = (EMBEDDED as readonly string[]).includes(name);
    if (embedded) {
      if (embeds.has(name) || (name === 'filesList' && names?.has(name) === true)) {
        sent[name] = narrow(name, value, names, embeds);
      }
    } else if (names === undefined || name === '_id' || names.has(name)) sent[name] = value;
  }
  return sent;
}

function narrow(
  name: string,
  value: unknown,
  names: ReadonlySet<string> | undefined,
  embeds: ReadonlySet<string>,
): unknown {
  if (name === 'valuesByTags' || name === 'refByDocs') return value;
  if (Array.isArray(value)) return value.map((entry: WireEntity) => pick(entry, names, embeds));
  return pick(value as WireEntity, names, embeds);
}

function pick(
  entity: WireEntity,
  names: ReadonlySet<string> | undefined,
  embeds: ReadonlySet<string>,
): WireEntity {
  const keys = Object.keys(entity).filter((key) => key !== 'recoResult' || embeds.has(key));
  const narrowed = names !== undefined && keys.some((key) => names.has(key) && !isId(key));
  const kept = keys.filter((key) => !narrowed || isId(key) || names.has(key) || embeds.has(key));
  return Object.fromEntries(kept.map((key) => [key, entity[key]]));
}

const isId = (key: string): boolean => key === '_id' || key === 'id';
