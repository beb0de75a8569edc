import { ID_RULE, isFullId, isValidId } from '../model/id.ts';
import { badInput } from './graphql-error.ts';

export type NodeType =
  | 'Document'
  | 'DocumentResponse'
  | 'Organization'
  | 'ListValue'
  | 'Form'
  | 'Person'
  | 'OrgUnit';

/** An id has at most 256 characters, each of at most three bytes; longer text is not decoded. */
const MAX_GLOBAL_ID = 1200;

const fullId = { matches: isFullId, what: '24 hexadecimal characters' };
const anyId = { matches: isValidId, what: ID_RULE };

/** What the DMS's own ids of each type look like. */
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

export function toGlobalId(type: NodeType, id: string): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

/** The type and the DMS's own id behind a global id; null where it is none. */
export function fromGlobalId(globalId: string): { type: string; id: string } | null {
  if (globalId.length > MAX_GLOBAL_ID || !/^[Q-W]/.test(globalId)) return null; // in base64, what begins with A to Z begins with Q to W
  const decoded = Buffer.from(globalId, 'base64').toString();
  const match = /^([A-Z][A-Za-z]{2,39}):(.+)$/s.exec(decoded);
  if (match === null || Buffer.from(decoded).toString('base64') !== globalId) return null;
  return { type: match[1]!, id: match[2]! };
}

/**
 * The DMS's own id behind an `id` argument that takes any: the global id or the DMS's own.
 * @throws BAD_USER_INPUT for a global id of another type and for what cannot be an id of this one.
 */
export function dmsIdFrom(type: NodeType | 'File', id: string, argument = 'id'): string {
  const global = fromGlobalId(id);
  if (global !== null && global.type !== type) {
    throw badInput(
      `\`${argument}\` must be an ID of type ${type}, but it is a global ID of type ${global.type}.`,
    );
  }
  const own = global?.id ?? id;
  if (idRules[type].matches(own)) return own;
  throw badInput(
    `\`${argument}\` must be a global ID or ${idRules[type].what}. Received: ${quote(id)}.`,
  );
}

/** The precheck of a root field that reads one object by id: checks the id and counts one upstream call. */
export function precheckId(type: NodeType): (args: { id: string }) => { calls: number } {
  return ({ id }) => {
    dmsIdFrom(type, id);
    return { calls: 1 };
  };
}

/** @throws BAD_USER_INPUT where it is not the global id of a type of this schema. */
export function parseNodeId(globalId: string, argument = 'id'): { type: NodeType; id: string } {
  const global = fromGlobalId(globalId);
  if (global !== null && global.type !== 'File' && Object.hasOwn(idRules, global.type)) {
    const type = global.type as NodeType;
    if (idRules[type].matches(global.id)) return { type, id: global.id };
  }
  throw badInput(`\`${argument}\` must be a global ID. Received: ${quote(globalId)}.`);
}

/** One word: no white space, no invisible character, and none of the signs that join words or lists. */
const WORD = /^[^\s\p{Cc}\p{Cf},;/\\?#%&]+$/u;

/**
 * Whether a text of a document is looked up as an id of the type. Stricter than `isValidId`: an external id is free text,
 * so any text could be one, and each look-up is a request to the DMS. Only a single word is tried.
 */
export function couldBeId(type: NodeType, text: string): boolean {
  return WORD.test(text) && idRules[type].matches(text);
}

/** A caller's text in a message: short, and visible whatever it holds. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
