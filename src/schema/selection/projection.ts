import {
  getArgumentValues,
  getNamedType,
  isObjectType,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';
import type { DocumentRequirements } from '../../model/document-requirements.ts';
import { isDeferred } from '../incremental/directives.ts';
import { addImpliedRequirements } from './deferred-requirements.ts';
import { appliesTo, hintsOf, isSkipped } from './field-hints.ts';

/*
 * Determines the properties that a selection requires. Every field declares its requirements, and the selection below a
 * field is traversed once per operation. The result is cached by syntax tree, or by the variables of the request if it
 * depends on them. The server parses each query document once, so a repeated operation causes no traversal.
 *
 * The requirements of deferred fragments are kept apart: they are read when the fragment is executed
 * (`complete-source.ts`).
 */

type Info = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'operation' | 'returnType' | 'schema' | 'variableValues'
>;

interface Selected {
  /** Requirements without the prefix of the enclosing field. */
  readonly requirements: ReadonlySet<string>;
  /** The same of deferred fragments. */
  readonly deferred: ReadonlySet<string>;
  /** Whether the key alone answers every selected field. */
  readonly keyOnly: boolean;
}

/** Cached by field node and type. A field node belongs to one parsed operation, and there is one schema. */
type SelectionCache = WeakMap<FieldNode, Map<string, Selected>>;

const cached: SelectionCache = new WeakMap();
/** Results that depend on variables. Each execution has its own object of variables. */
const cachedWith = new WeakMap<object, SelectionCache>();

/**
 * The document properties that the selection below the current field requires, also through a connection. Costs nothing
 * if the operation was seen before.
 */
export function documentRequirements(info: Info, typeName?: string): DocumentRequirements {
  return selectedBelow(info, typeName).requirements as DocumentRequirements;
}

/** Whether the selection below the current field needs only the key of its type, or of the named type. */
export function isKeyOnly(info: Info, typeName?: string): boolean {
  return selectedBelow(info, typeName).keyOnly;
}

/**
 * The document properties that the current field requires, which is one of a document or of a connection of documents.
 */
export function fieldRequirements(
  info: Info & Pick<GraphQLResolveInfo, 'parentType'>,
): DocumentRequirements {
  const { parentType } = info;
  const selections = info.fieldNodes.map((node) =>
    cachedWalk(node, `field of ${parentType.name}`, info, (walk) => {
      collectField(node, false, parentType, '', info, walk);
    }),
  );
  return merged(selections, info).requirements as DocumentRequirements;
}

/** Whether nothing but the named fields is selected below the current field, apart from deferred fragments. */
export function selectsOnly(info: Info, names: ReadonlySet<string>): boolean {
  const type = typeOf(info);
  let only = true;
  for (const node of info.fieldNodes) {
    if (node.selectionSet === undefined) continue;
    forEachField(node.selectionSet, type, info, (field, isFieldDeferred) => {
      only &&= isFieldDeferred || names.has(field.name.value);
    });
  }
  return only;
}

function selectedBelow(info: Info, typeName?: string): Selected {
  const type = typeOf(info, typeName);
  const [first, ...more] = info.fieldNodes;
  const selected = selectedBelowNode(first!, type, info);
  if (more.length === 0) return selected;
  return merged([selected, ...more.map((node) => selectedBelowNode(node, type, info))], info);
}

function merged(selections: readonly Selected[], info: Info): Selected {
  const [first, ...more] = selections;
  if (more.length === 0) return first!;
  const requirements = new Set(first!.requirements);
  let { deferred, keyOnly } = first!;
  for (const next of more) {
    for (const requirement of next.requirements) requirements.add(requirement);
    if (next.deferred.size > 0) deferred = deferred.union(next.deferred);
    keyOnly &&= next.keyOnly;
  }
  addImpliedRequirements(requirements, deferred, info.operation);
  return { requirements, deferred, keyOnly };
}

function typeOf(info: Info, typeName?: string): GraphQLObjectType {
  const type =
    typeName === undefined ? getNamedType(info.returnType) : info.schema.getType(typeName);
  if (isObjectType(type)) return type;
  throw new Error(`A projection needs an object type, not ${String(type)}.`);
}

function selectedBelowNode(node: FieldNode, type: GraphQLObjectType, info: Info): Selected {
  return cachedWalk(node, type.name, info, (walk) => {
    if (node.selectionSet !== undefined) collect(node.selectionSet, type, '', info, walk);
  });
}

function cachedWalk(node: FieldNode, key: string, info: Info, run: (walk: Walk) => void): Selected {
  const { variableValues } = info;
  const before = cached.get(node)?.get(key) ?? cachedWith.get(variableValues)?.get(node)?.get(key);
  if (before !== undefined) return before;
  const requirements = new Set<string>();
  const deferred = new Set<string>();
  const walk = { requirements, deferred, keyOnly: true, varies: false };
  run(walk);
  addImpliedRequirements(requirements, deferred, info.operation);
  const selected = { requirements, deferred, keyOnly: walk.keyOnly };
  const store = walk.varies ? storeWith(variableValues) : cached;
  const byType = store.get(node) ?? new Map<string, Selected>();
  store.set(node, byType.set(key, selected));
  return selected;
}

function storeWith(variableValues: object): SelectionCache {
  let store = cachedWith.get(variableValues);
  if (store === undefined) {
    store = new WeakMap();
    cachedWith.set(variableValues, store);
  }
  return store;
}

interface Walk {
  readonly requirements: Set<string>;
  readonly deferred: Set<string>;
  keyOnly: boolean;
  /** Whether the result depends on variables, and is valid for the current ones only. */
  varies: boolean;
}

function collect(
  selections: SelectionSetNode,
  type: GraphQLObjectType,
  prefix: string,
  info: Info,
  walk: Walk,
  isWithinDeferred = false,
): void {
  forEachField(
    selections,
    type,
    info,
    (node, isFieldDeferred) => collectField(node, isFieldDeferred, type, prefix, info, walk),
    walk,
    isWithinDeferred,
  );
}

function collectField(
  node: FieldNode,
  isFieldDeferred: boolean,
  type: GraphQLObjectType,
  prefix: string,
  info: Info,
  walk: Walk,
): void {
  const field = type.getFields()[node.name.value];
  if (field === undefined) return; // __typename
  const { requires, requiresUnder, keyOnly } = hintsOf(field);
  if (keyOnly !== true && !isFieldDeferred) walk.keyOnly = false;
  const target = isFieldDeferred ? walk.deferred : walk.requirements;
  if (typeof requires === 'function') {
    walk.varies ||= usesVariable(node);
    const args = getArgumentValues(field, node, info.variableValues);
    for (const requirement of requires(args)) target.add(prefix + requirement);
  } else if (requires !== undefined) {
    for (const requirement of requires) target.add(prefix + requirement);
  }
  if (requiresUnder === undefined || node.selectionSet === undefined) return;
  const below = getNamedType(field.type);
  if (isObjectType(below)) {
    collect(node.selectionSet, below, prefix + requiresUnder, info, walk, isFieldDeferred);
  }
}

/** Visits the fields that are selected for the type, including those of fragments, without skipped ones. */
function forEachField(
  selections: SelectionSetNode,
  type: GraphQLObjectType,
  info: Info,
  visit: (node: FieldNode, isFieldDeferred: boolean) => void,
  walk?: Walk,
  isWithinDeferred = false,
): void {
  for (const node of selections.selections) {
    let isNodeDeferred = isWithinDeferred;
    if (node.directives !== undefined && node.directives.length > 0) {
      if (walk !== undefined) walk.varies ||= node.directives.some(usesVariable);
      if (isSkipped(node, info.variableValues)) continue;
      isNodeDeferred ||= isDeferred(node, info.variableValues);
    }
    if (node.kind === 'Field') {
      visit(node, isNodeDeferred);
    } else {
      const fragment = node.kind === 'InlineFragment' ? node : info.fragments[node.name.value];
      if (fragment !== undefined && appliesTo(fragment, type, info.schema)) {
        forEachField(fragment.selectionSet, type, info, visit, walk, isNodeDeferred);
      }
    }
  }
}

function usesVariable(node: {
  readonly arguments?: readonly { readonly value: unknown }[];
}): boolean {
  return node.arguments?.some(({ value }) => containsVariable(value)) ?? false;
}

function containsVariable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('kind' in value && value.kind === 'Variable') return true;
  if ('values' in value) return (value.values as unknown[]).some(containsVariable);
  if ('fields' in value) {
    return (value.fields as { value: unknown }[]).some((field) => containsVariable(field.value));
  }
  return false;
}
