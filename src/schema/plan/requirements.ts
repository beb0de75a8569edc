import { getArgumentValues } from 'graphql';
import type { DocumentRequirements } from '../../model/document-requirements.ts';
import {
  placementOf,
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

const knownRequired = new WeakMap<Variables, WeakMap<Source, Required>>();
const anyVariables: Variables = {};

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
  return withImplied(merged, info);
}

function requiredOfOne(source: Source, info: FieldInfo): Required {
  const variables = source.varies ? info.variableValues : anyVariables;
  let known = knownRequired.get(variables);
  if (known === undefined) {
    known = new WeakMap();
    knownRequired.set(variables, known);
  }
  let required = known.get(source);
  if (required === undefined) {
    const collector = new Collector(info.variableValues);
    if ('fields' in source) collector.addFields(source, '', false);
    else collector.addField(source, '', false);
    required = withImplied(collector, info);
    known.set(source, required);
  }
  return required;
}

function withImplied(required: Required, info: FieldInfo): Required {
  const implied = planFor(info).implied?.(required) ?? [];
  return implied.length === 0
    ? required
    : { ...required, requirements: new Set([...required.requirements, ...implied]) };
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
