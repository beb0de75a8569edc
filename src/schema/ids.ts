import {
  canonicalId,
  isValidId,
  anyIds,
  isNodeType,
  resources,
  type IdRule,
  type KeyOf,
  type NodeType,
} from '../model/resource.ts';
import type { ObjectRef } from '@pothos/core';
import type { DeclaredForms } from '../model/form.ts';
import {
  builder,
  globalIdDescription,
  type ObjectFieldBuilder,
  type OutputField,
  type Types,
} from './builder.ts';
import { badInput } from './graphql-error.ts';
import { parsedArgs } from './plan/parsed-arguments.ts';
import { isServiceAccount, readObject } from './related-objects.ts';

const MAX_GLOBAL_ID = 1200;

/** The types with a global ID. The DMS cannot look up service accounts. */
type GlobalType = NodeType | 'ServiceAccount';

const serviceAccountIds: IdRule = {
  matches: (id) => isServiceAccount(id) && isValidId(id),
  what: 'a system ID that begins with `api-`',
};

function rulesOf(type: GlobalType | 'File'): IdRule {
  if (type === 'File') return anyIds;
  return type === 'ServiceAccount' ? serviceAccountIds : resources[type].accepts;
}

export function toGlobalId(type: GlobalType, id: string): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

export function keyFields<T extends NodeType, Shape extends Readonly<Record<KeyOf<T>, string>>>(
  t: ObjectFieldBuilder<Shape>,
  type: T,
  description: string,
): Record<'id' | KeyOf<T>, OutputField<string>> {
  const key: 'fullId' | 'systemId' = resources[type].key;
  // Pothos cannot resolve the properties of a generic object.
  const fields = t as unknown as ObjectFieldBuilder<Record<'fullId' | 'systemId', string>>;
  return {
    id: t.id({
      keyOnly: true,
      description: globalIdDescription,
      resolve: (object) => toGlobalId(type, object[key as KeyOf<T>]),
    }),
    [key]: fields.expose(key, {
      type: key === 'fullId' ? 'ObjectID' : 'String',
      keyOnly: true,
      description: `${description} Clients use \`id\`; other systems know the object by this ID.`,
    }),
  } as Record<'id' | KeyOf<T>, OutputField<string>>;
}

export function fromGlobalId(globalId: string): { type: string; id: string } | null {
  // Base64 of text that starts with A to Z starts with Q to W.
  if (globalId.length > MAX_GLOBAL_ID || !/^[Q-W]/.test(globalId)) return null;
  const decoded = Buffer.from(globalId, 'base64').toString();
  const match = /^([A-Z][A-Za-z]{2,39}):(.+)$/s.exec(decoded);
  if (match === null || Buffer.from(decoded).toString('base64') !== globalId) return null;
  return { type: match[1]!, id: match[2]! };
}

export function ownIdIn(id: string): string {
  return canonicalId(fromGlobalId(id)?.id ?? id);
}

/**
 * Returns the DMS's ID of an `id` argument, which accepts both the global ID and the DMS's ID. `what` describes the
 * DMS's IDs that the argument accepts, for the message.
 * @throws BAD_USER_INPUT for a global ID of another type, and for text that cannot be an ID of this type
 */
export function dmsIdFrom(
  type: GlobalType | 'File',
  id: string,
  argument = 'id',
  what = rulesOf(type).what,
): string {
  const global = fromGlobalId(id);
  if (global !== null && global.type !== type) {
    throw badInput(
      `\`${argument}\` must be an ID of type ${type}, but it is a global ID of type ${global.type}.`,
    );
  }
  const own = canonicalId(global?.id ?? id);
  if (rulesOf(type).matches(own)) return own;
  throw badInput(`\`${argument}\` must be a global ID or ${what}. Received: ${quote(id)}.`);
}

export function defineQueryById(
  type: NodeType,
  ref: ObjectRef<Types, object>,
  acceptedIds: string,
  description: string,
): void {
  const parse = parserOf(type);
  builder.queryField(resources[type].one, (t) =>
    t.field({
      type: ref,
      nullable: true,
      args: { id: t.arg.id({ required: true, description: acceptedIds }) },
      parse,
      limitCost: () => ({ calls: 1 }),
      cost: (id: string, forms) => costOfReads([{ type, id }], forms),
      description,
      resolve: (_root, args, context, info) =>
        readObject(type, parsedArgs(parse, args, context, info), context, info),
    }),
  );
}

export function parserOf(type: NodeType | 'File'): (args: { readonly id: string }) => string {
  return ({ id }) => dmsIdFrom(type, id);
}

export function costOfReads(
  objects: readonly { readonly type: GlobalType; readonly id: string }[],
  forms: DeclaredForms | null,
) {
  const read = objects.filter(
    ({ type }) => isNodeType(type) && (type !== 'Form' || forms === null),
  );
  return {
    calls: read.length,
    certain: read
      .filter(({ type }) => !resources[type as NodeType].isCached)
      .map(({ type, id }) => `${type}:${id}`),
  };
}

export function parseNodeId(globalId: string, argument = 'id'): { type: GlobalType; id: string } {
  const global = fromGlobalId(globalId);
  if (global !== null && (isNodeType(global.type) || global.type === 'ServiceAccount')) {
    const { type } = global;
    const id = canonicalId(global.id);
    if (rulesOf(type).matches(id)) return { type, id };
  }
  throw badInput(`\`${argument}\` must be a global ID. Received: ${quote(globalId)}.`);
}

const WORD = /^[^\s\p{Cc}\p{Cf},;/\\?#%&]+$/u;

/**
 * Whether to look up a text value as an ID of the type. This check is stricter than `isValidId`: any text could be an
 * external ID, and each lookup is an upstream request. Only single words are looked up.
 */
export function couldBeId(type: NodeType, text: string): boolean {
  return WORD.test(text) && resources[type].accepts.matches(text);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
