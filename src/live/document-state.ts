import type { Document } from '../model/document.ts';
import type { DocumentRequirements } from '../model/document-requirements.ts';
import type { Page } from '../model/page.ts';

/** The smallest projection that reveals a change: `_id` and `_meta`. */
export const polledRequirements: DocumentRequirements = new Set(['meta'] as const);

/** The properties of the first documents of a view that a poll reads. */
export interface PageState {
  readonly totalCount: number | null;
  /** By full ID, in the order of the DMS. */
  readonly versions: ReadonlyMap<string, string>;
}

/** The changes of a page. All lists contain full IDs. */
export interface PageChange {
  readonly totalCount: number | null;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Returns a text that changes with each write to the document: its revision and the time of the last change. The time
 * is for a DMS that omits the revision. If the DMS omits both, changes are not detected.
 */
export function versionOf({ meta }: Document): string {
  return `${meta?.revision ?? ''} ${meta?.modifiedAt ?? ''}`;
}

/** Returns the total count of a page and the version of each of its documents, by full ID. */
export function pageStateOf({ items, totalCount }: Page<Document>): PageState {
  return { totalCount, versions: new Map(items.map((one) => [one.fullId, versionOf(one)])) };
}

/** Whether two states are equal, the order of their documents included. */
export function isSamePage(a: PageState, b: PageState): boolean {
  if (a.totalCount !== b.totalCount || a.versions.size !== b.versions.size) return false;
  const others = b.versions.entries();
  for (const [id, version] of a.versions) {
    const [otherId, otherVersion] = others.next().value ?? [];
    if (id !== otherId || version !== otherVersion) return false;
  }
  return true;
}

/**
 * Returns the change since the state that a subscriber received last. Null if there is none. A new total count is a
 * change. A new order of the same documents is not.
 */
export function pageChangeBetween(before: PageState | null, now: PageState): PageChange | null {
  const { totalCount, versions } = now;
  if (before === null) return { totalCount, added: [...versions.keys()], changed: [], removed: [] };
  const added: string[] = [];
  const changed: string[] = [];
  for (const [id, version] of versions) {
    const known = before.versions.get(id);
    if (known === undefined) added.push(id);
    else if (known !== version) changed.push(id);
  }
  const removed = [...before.versions.keys()].filter((id) => !versions.has(id));
  const isUnchanged = added.length === 0 && changed.length === 0 && removed.length === 0;
  if (isUnchanged && totalCount === before.totalCount) return null;
  return { totalCount, added, changed, removed };
}
