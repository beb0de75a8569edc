import { ID_RULE, isFullId, isValidId } from '../model/id.ts';
import { globalIdDescription, type ObjectFieldBuilder, type OutputField } from './builder.ts';
import { badInput } from './graphql-error.ts';

/** The types that have a global ID, and that `node` can fetch. */
export type NodeType =
  | 'Document'
  | 'DocumentResponse'
  | 'Organization'
  | 'ListValue'
  | 'Form'
  | 'Person'
  | 'OrgUnit';

/** An ID has at most 256 characters of at most three bytes each. Longer text is not decoded. */
const MAX_GLOBAL_ID = 1200;

const fullId = { matches: isFullId, what: '24 hexadecimal characters' };
const anyId = { matches: isValidId, what: ID_RULE };

/** The form of the DMS's IDs of each type. */
const idRules: Record<NodeType | 'File', { matches: (id: string) => boolean; what: string }> = {
  Document: anyId,
  File: anyId,
  DocumentResponse: fullId,
  Organization: anyId,
  ListValue: fullId,
  Form: anyId,
  Person: {
    matches: (id) => id.startsWith('usr-') && isValidId(id),
    what: 'a system ID that begins with `usr-`',
  },
  OrgUnit: anyId,
};

/** Encodes the type and the DMS's ID as a global ID: base64 of `Type:id`. */
export function toGlobalId(type: NodeType, id: string): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

/** The field `id` of an object type. `keyOf` returns the DMS's ID of an object. */
export function globalIdField<Shape>(
  t: ObjectFieldBuilder<Shape>,
  type: NodeType,
  keyOf: (object: Shape) => string,
): OutputField<string> {
  return t.id({
    keyOnly: true,
    description: globalIdDescription,
    resolve: (object) => toGlobalId(type, keyOf(object)),
  });
}

/** Whether a text can be the DMS's own ID of an object of the type. */
export function isIdOf(type: NodeType, id: string): boolean {
  return idRules[type].matches(id);
}

/** Decodes a global ID. Null if the text is not one. */
export function fromGlobalId(globalId: string): { type: string; id: string } | null {
  // Base64 of text that starts with A to Z starts with Q to W.
  if (globalId.length > MAX_GLOBAL_ID || !/^[Q-W]/.test(globalId)) return null;
  const decoded = Buffer.from(globalId, 'base64').toString();
  const match = /^([A-Z][A-Za-z]{2,39}):(.+)$/s.exec(decoded);
  if (match === null || Buffer.from(decoded).toString('base64') !== globalId) return null;
  return { type: match[1]!, id: match[2]! };
}

/**
 * Returns the DMS's ID of an `id` argument, which accepts both the global ID and the DMS's ID. `what` describes the
 * DMS's IDs that the argument accepts, for the message.
 * @throws BAD_USER_INPUT for a global ID of another type, and for text that cannot be an ID of this type
 */
export function dmsIdFrom(
  type: NodeType | 'File',
  id: string,
  argument = 'id',
  what = idRules[type].what,
): string {
  const global = fromGlobalId(id);
  if (global !== null && global.type !== type) {
    throw badInput(
      `\`${argument}\` must be an ID of type ${type}, but it is a global ID of type ${global.type}.`,
    );
  }
  const own = global?.id ?? id;
  if (idRules[type].matches(own)) return own;
  throw badInput(`\`${argument}\` must be a global ID or ${what}. Received: ${quote(id)}.`);
}

/** The precheck of a root field that fetches one object: validates the ID and counts one upstream call. */
export function precheckId(type: NodeType): (args: { id: string }) => { calls: number } {
  return ({ id }) => {
    dmsIdFrom(type, id);
    return { calls: 1 };
  };
}

/** Decodes a global ID. @throws BAD_USER_INPUT if it is not the global ID of a type of this schema */
export function parseNodeId(globalId: string, argument = 'id'): { type: NodeType; id: string } {
  const global = fromGlobalId(globalId);
  if (global !== null && global.type !== 'File' && Object.hasOwn(idRules, global.type)) {
    const type = global.type as NodeType;
    if (idRules[type].matches(global.id)) return { type, id: global.id };
  }
  throw badInput(`\`${argument}\` must be a global ID. Received: ${quote(globalId)}.`);
}

/** A single word without whitespace, invisible characters and separators. */
const WORD = /^[^\s\p{Cc}\p{Cf},;/\\?#%&]+$/u;

/**
 * Whether to look up a text value as an ID of the type. This check is stricter than `isValidId`: any text could be an
 * external ID, and each lookup is an upstream request. Only single words are looked up.
 */
export function couldBeId(type: NodeType, text: string): boolean {
  return WORD.test(text) && idRules[type].matches(text);
}

/** Quotes client input in a message: shortened, with invisible characters escaped. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
