import { getArgumentValues } from 'graphql';
import type { DocumentRequirements } from '../../model/document-requirements.ts';
import {
  placementOf,
  type OperationPlan,
  type PlannedField,
  type Required,
  type Selection,
  type Variables,
} from './operation-plan.ts';
import { fieldsOf, planFor, type FieldInfo } from './planner.ts';

/*
 * Determines the properties that a selection requires. Every field declares its requirements, and those of a selection
 * are collected once per plan, or once per request if they depend on variables.
 *
 * The requirements of deferred fragments are separate: they are read when the fragment is executed.
 */

type Source = Selection | PlannedField;

const cachedByVariables = new WeakMap<Variables, WeakMap<Source, Required>>();

/** The document properties that the selection below the current field requires, also through a connection. */
export function documentRequirements(info: FieldInfo, typeName?: string): DocumentRequirements {
  return requiredBelow(info, typeName).requirements as DocumentRequirements;
}

export function isKeyOnly(info: FieldInfo, typeName?: string): boolean {
  return requiredBelow(info, typeName).isKeyOnly;
}

export function fieldRequirements(info: FieldInfo): DocumentRequirements {
  return requiredOf(fieldsOf(info), info).requirements as DocumentRequirements;
}

export function selectsOnly(info: FieldInfo, names: ReadonlySet<string>): boolean {
  return fieldsOf(info).every((field) =>
    selectionOf(field).fields.every(
      (inner) =>
        names.has(inner.node.name.value) || placementOf(inner, info.variableValues) !== 'initial',
    ),
  );
}

export function objectsBelow(
  info: FieldInfo,
): { readonly name: string; readonly isKeyOnly: boolean }[] {
  return fieldsOf(info)
    .flatMap((field) => selectionOf(field).fields)
    .filter(
      (field) => field.below.length === 1 && placementOf(field, info.variableValues) !== 'skipped',
    )
    .map((field) => ({
      name: field.node.name.value,
      isKeyOnly: requiredOfOne(selectionOf(field), info).isKeyOnly,
    }));
}

function requiredBelow(info: FieldInfo, typeName?: string): Required {
  return requiredOf(
    fieldsOf(info).map((field) => selectionOf(field, typeName)),
    info,
  );
}

function selectionOf({ below, node }: PlannedField, typeName?: string): Selection {
  const found =
    typeName === undefined && below.length === 1
      ? below[0]
      : below.find(({ type }) => type.name === typeName);
  if (found !== undefined) return found;
  throw new Error(`${node.name.value} selects nothing of one type ${typeName ?? ''}.`);
}

function requiredOf([first, ...more]: readonly Source[], info: FieldInfo): Required {
  const found = requiredOfOne(first!, info);
  if (more.length === 0) return found;
  const all = [found, ...more.map((source) => requiredOfOne(source, info))];
  const merged = {
    requirements: new Set(all.flatMap(({ requirements }) => [...requirements])),
    deferred: new Set(all.flatMap(({ deferred }) => [...deferred])),
    isKeyOnly: all.every((one) => one.isKeyOnly),
  };
  addImplied(merged, planFor(info));
  return merged;
}

function requiredOfOne(source: Source, info: FieldInfo): Required {
  if (!source.varies) return (source.required ??= collected(source, info));
  const store = storeFor(info.variableValues);
  let required = store.get(source);
  if (required === undefined) {
    required = collected(source, info);
    store.set(source, required);
  }
  return required;
}

function collected(source: Source, info: FieldInfo): Required {
  const collector = new Collector(info.variableValues);
  if ('fields' in source) collector.addFields(source, '', false);
  else collector.addField(source, '', false);
  addImplied(collector, planFor(info));
  return collector;
}

function storeFor(variables: Variables): WeakMap<Source, Required> {
  let store = cachedByVariables.get(variables);
  if (store === undefined) {
    store = new WeakMap();
    cachedByVariables.set(variables, store);
  }
  return store;
}

class Collector implements Required {
  readonly requirements = new Set<string>();
  readonly deferred = new Set<string>();
  isKeyOnly = true;
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  addFields({ fields }: Selection, prefix: string, isWithinDeferred: boolean): void {
    for (const field of fields) {
      const placement = placementOf(field, this.#variables);
      if (placement === 'skipped') continue;
      this.addField(field, prefix, isWithinDeferred || placement === 'deferred');
    }
  }

  addField(
    { definition, node, hints, below }: PlannedField,
    prefix: string,
    isDeferred: boolean,
  ): void {
    if (definition === null) return; // __typename
    const { requires = [], requiresUnder, keyOnly } = hints;
    if (keyOnly !== true && !isDeferred) this.isKeyOnly = false;
    const target = isDeferred ? this.deferred : this.requirements;
    const own =
      typeof requires === 'function'
        ? requires(getArgumentValues(definition, node, this.#variables))
        : requires;
    for (const requirement of own) target.add(prefix + requirement);
    if (requiresUnder === undefined || below.length !== 1) return;
    this.addFields(below[0]!, prefix + requiresUnder, isDeferred);
  }
}

/** Embedded entities that are read once with all requirements. `result` is that of a RecoData. */
const wholeEntities = ['response', 'recoData.result', 'result'];

const embedded: ReadonlySet<string> = new Set([
  'values',
  'files',
  'refByDocs',
  'response',
  'recoData',
  'recoData.result',
  'result',
]);

/**
 * Marks an operation whose deferred fragments are executed later: what a read returns in any case, or cannot be read
 * again, is read completely.
 */
export function markIncremental(plan: OperationPlan, isProjected: boolean): void {
  plan.incrementalReads ??= { isProjected, response: responseRequirements(plan) };
}

/**
 * Adds the requirements of deferred fragments that are read together with those given. Reading more of a response later
 * would make the DMS prepare it twice, and a recognition result has no ID by which it could be read again. Both are
 * therefore always read completely.
 */
function addImplied(
  { requirements, deferred }: { requirements: Set<string>; deferred: ReadonlySet<string> },
  { incrementalReads: reads }: OperationPlan,
): void {
  if (reads === undefined) return;
  if (requirements.has('response')) {
    for (const requirement of reads.response) requirements.add(requirement);
  }
  for (const requirement of deferred) {
    const entity = requirement.slice(0, Math.max(0, requirement.lastIndexOf('.')));
    const isWhole = wholeEntities.includes(entity)
      ? requirements.has(entity)
      : !reads.isProjected &&
        !embedded.has(requirement) &&
        (entity === '' || requirements.has(entity));
    if (isWhole) requirements.add(requirement);
  }
}

/**
 * Returns the requirements with which each response of an operation is read: those of all fields that select one. Some
 * of these fields are executed later, and the DMS would otherwise prepare the response of one document several times.
 */
function responseRequirements({ fields }: OperationPlan): readonly string[] {
  const all = [...fields.values()].flat();
  const selecting = all.filter(({ hints }) => hints.requiresUnder === 'response.');
  if (selecting.length < 2) return [];
  return all.flatMap(({ parentType, hints: { requires } }) =>
    parentType.name === 'DocumentResponse' && Array.isArray(requires)
      ? requires.map((requirement) => `response.${requirement}`)
      : [],
  );
}
