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
import { appliesTo, hintsOf, isSkipped } from './field-hints.ts';

/*
 * Computes from the selection which properties to read. Every field declares its requirements. The selection below a
 * field is traversed once per operation, and the result is cached by syntax node; if it depends on variables, by
 * variables too. Query documents are parsed once, so repeated queries need no traversal.
 */

type Info = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'returnType' | 'schema' | 'variableValues'
>;

interface Selected {
  /** Requirements without the prefix of the enclosing field. */
  readonly requirements: ReadonlySet<string>;
  /** Whether every selected field needs only the key. */
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

/** Whether only the named fields are selected below the current field. */
export function selectsOnly(info: Info, names: ReadonlySet<string>): boolean {
  const type = typeOf(info);
  let only = true;
  for (const node of info.fieldNodes) {
    if (node.selectionSet === undefined) continue;
    forEachField(node.selectionSet, type, info, (field) => {
      only &&= names.has(field.name.value);
    });
  }
  return only;
}

function selectedBelow(info: Info, typeName?: string): Selected {
  const type = typeOf(info, typeName);
  const [first, ...more] = info.fieldNodes;
  const selected = selectedBelowNode(first!, type, info);
  if (more.length === 0) return selected;
  const requirements = new Set(selected.requirements);
  let { keyOnly } = selected;
  for (const node of more) {
    const next = selectedBelowNode(node, type, info);
    for (const requirement of next.requirements) requirements.add(requirement);
    keyOnly &&= next.keyOnly;
  }
  return { requirements, keyOnly };
}

function typeOf(info: Info, typeName?: string): GraphQLObjectType {
  const type =
    typeName === undefined ? getNamedType(info.returnType) : info.schema.getType(typeName);
  if (isObjectType(type)) return type;
  throw new Error(`A projection needs an object type, not ${String(type)}.`);
}

function selectedBelowNode(node: FieldNode, type: GraphQLObjectType, info: Info): Selected {
  const { variableValues } = info;
  const before =
    cached.get(node)?.get(type.name) ?? cachedWith.get(variableValues)?.get(node)?.get(type.name);
  if (before !== undefined) return before;
  const requirements = new Set<string>();
  const walk = { requirements, keyOnly: true, varies: false };
  if (node.selectionSet !== undefined) collect(node.selectionSet, type, '', info, walk);
  const selected = { requirements, keyOnly: walk.keyOnly };
  const store = walk.varies ? storeWith(variableValues) : cached;
  const byType = store.get(node) ?? new Map<string, Selected>();
  store.set(node, byType.set(type.name, selected));
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
): void {
  forEachField(
    selections,
    type,
    info,
    (node) => {
      const field = type.getFields()[node.name.value];
      if (field === undefined) return; // __typename
      const { requires, requiresUnder, keyOnly } = hintsOf(field);
      if (keyOnly !== true) walk.keyOnly = false;
      if (typeof requires === 'function') {
        walk.varies ||= usesVariable(node);
        const args = getArgumentValues(field, node, info.variableValues);
        for (const requirement of requires(args)) walk.requirements.add(prefix + requirement);
      } else if (requires !== undefined) {
        for (const requirement of requires) walk.requirements.add(prefix + requirement);
      }
      if (requiresUnder !== undefined && node.selectionSet !== undefined) {
        const below = getNamedType(field.type);
        if (isObjectType(below)) {
          collect(node.selectionSet, below, prefix + requiresUnder, info, walk);
        }
      }
    },
    walk,
  );
}

/** Visits the fields that are selected for a type, including those in fragments, without skipped ones. */
function forEachField(
  selections: SelectionSetNode,
  type: GraphQLObjectType,
  info: Info,
  visit: (node: FieldNode) => void,
  walk?: Walk,
): void {
  for (const node of selections.selections) {
    if (node.directives !== undefined && node.directives.length > 0) {
      if (walk !== undefined) walk.varies ||= node.directives.some(usesVariable);
      if (isSkipped(node, info.variableValues)) continue;
    }
    if (node.kind === 'Field') {
      visit(node);
    } else {
      const fragment = node.kind === 'InlineFragment' ? node : info.fragments[node.name.value];
      if (fragment !== undefined && appliesTo(fragment, type, info.schema)) {
        forEachField(fragment.selectionSet, type, info, visit, walk);
      }
    }
  }
}

function usesVariable(node: {
  readonly arguments?: readonly { readonly value: unknown }[];
}): boolean {
  return node.arguments?.some(({ value }) => holdsVariable(value)) ?? false;
}

function holdsVariable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('kind' in value && value.kind === 'Variable') return true;
  if ('values' in value) return (value.values as unknown[]).some(holdsVariable);
  if ('fields' in value) {
    return (value.fields as { value: unknown }[]).some((field) => holdsVariable(field.value));
  }
  return false;
}
