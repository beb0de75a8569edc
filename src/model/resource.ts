import type { Document, DocumentResponse } from './document.ts';
import type { Form } from './form.ts';
import type { ListValue } from './list-value.ts';
import type { OrgUnit } from './org-unit.ts';
import type { Organization } from './organization.ts';
import type { Person } from './person.ts';

const FULL_ID = /^[\da-f]{24}$/i;

const MAX_ID_LENGTH = 256;
/** Nearly all IDs. The other checks take three times as long. */
const PLAIN = /^[\w-]+$/;
// Path separators, control characters, and percent escapes, which a server that decodes twice would decode.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[/\\\u0000-\u001f\u007f-\u009f]|%[\da-f]{2}/i;

export const ID_RULE =
  'an ID of 1 to 256 characters without slashes, backslashes, control characters and percent escapes such as %2F';

/**
 * Whether an ID is a full ID (24 hexadecimal characters). Every other ID is a short, system, external or government ID.
 */
export function isFullId(id: string): boolean {
  return FULL_ID.test(id);
}

const HEXADECIMAL_ID = /^(?:[\da-f]{24}|unit[\da-f]{4})$/i;

/**
 * The ID as this gateway spells it: full IDs and system IDs of units, whose hexadecimal characters have no case, in lower
 * case. All other IDs are unchanged.
 */
export function canonicalId(id: string): string {
  return HEXADECIMAL_ID.test(id) ? id.toLowerCase() : id;
}

/**
 * Whether a text can be sent to the DMS as an ID.
 *
 * External and government IDs are free text of other systems, so every script, space and punctuation mark is allowed
 * and percent-encoded. Rejected: characters and names that could lead to another path even when encoded (`/`, `\`,
 * `.`, `..`, control characters, percent escapes), text that a URL cannot contain (an unpaired surrogate), and text
 * that is empty, blank or longer than 256 UTF-16 units.
 */
export function isValidId(id: string): boolean {
  if (id.length > MAX_ID_LENGTH) return false;
  if (PLAIN.test(id)) return true;
  return id !== '.' && id !== '..' && id.trim() !== '' && !UNSAFE.test(id) && id.isWellFormed();
}

/** Which IDs the DMS finds objects of a resource by. `what` describes them in messages, after "must be". */
export interface IdRule {
  readonly matches: (id: string) => boolean;
  readonly what: string;
}

const fullIds: IdRule = { matches: isFullId, what: '24 hexadecimal characters' };
const personIds: IdRule = {
  matches: (id) => id.startsWith('usr-') && isValidId(id),
  what: 'a system ID that begins with `usr-`',
};

export const anyIds: IdRule = { matches: isValidId, what: ID_RULE };

interface Resource {
  readonly one: string;
  readonly many: string;
  readonly key: 'fullId' | 'systemId';
  readonly accepts: IdRule;
  readonly isCached: boolean;
  readonly invalidates: readonly string[];
}

/** The objects of each resource, by the name of their GraphQL type. */
export interface ResourceObjects {
  Document: Document;
  DocumentResponse: DocumentResponse;
  Form: Form;
  ListValue: ListValue;
  Organization: Organization;
  OrgUnit: OrgUnit;
  Person: Person;
}

/**
 * The resources by the name of their GraphQL type. Cache, REST resources, loaders, IDs, `node` and `@defer` read this
 * table. Each type has a global ID.
 */
export const resources = {
  Document: {
    one: 'document',
    many: 'documents',
    key: 'fullId',
    accepts: anyIds,
    isCached: false,
    invalidates: [],
  },
  DocumentResponse: {
    one: 'documentResponse',
    many: 'documentResponses',
    key: 'fullId',
    accepts: fullIds,
    isCached: false,
    invalidates: [],
  },
  Form: {
    one: 'form',
    many: 'forms',
    key: 'fullId',
    accepts: anyIds,
    isCached: true,
    invalidates: [], // never written
  },
  ListValue: {
    one: 'listValue',
    many: 'listValues',
    key: 'fullId',
    accepts: fullIds,
    isCached: true,
    invalidates: ['listValues'],
  },
  Organization: {
    one: 'organization',
    many: 'organizations',
    key: 'fullId',
    accepts: anyIds,
    isCached: true,
    invalidates: ['organizations'],
  },
  OrgUnit: {
    one: 'orgUnit',
    many: 'orgUnits',
    key: 'systemId',
    accepts: anyIds,
    isCached: true,
    invalidates: ['orgUnits', 'persons'], // persons contain the name of their unit
  },
  Person: {
    one: 'person',
    many: 'persons',
    key: 'systemId',
    accepts: personIds,
    isCached: true,
    invalidates: ['persons', 'orgUnits'], // both contain the unit of a person
  },
} as const satisfies Record<keyof ResourceObjects, Resource>;

type Table = typeof resources;

/** A type with a global ID, which `node` can fetch. */
export type NodeType = keyof Table;

/** The name of the property that identifies an object of the type. */
export type KeyOf<T extends NodeType> = Table[T]['key'];

/** An object of a type, of which at least the key is known. */
export type ObjectOf<T extends NodeType> = Pick<
  ResourceObjects[T],
  KeyOf<T> & keyof ResourceObjects[T]
> &
  Partial<ResourceObjects[T]>;

export type ReferenceResource = {
  [T in NodeType]: Table[T] extends { readonly isCached: true } ? Table[T]['many'] : never;
}[NodeType];

/** The names of all types with a global ID, in the order of the table. */
export const nodeTypes = Object.keys(resources) as NodeType[];

export const referenceResources: readonly ReferenceResource[] = Object.values(resources)
  .filter((resource) => resource.isCached)
  .map(({ many }) => many);

export function isNodeType(name: string): name is NodeType {
  return Object.hasOwn(resources, name);
}
