import { Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { OperationPlan } from '../../schema/plan/operation-plan.ts';
import { planOf } from '../../schema/plan/planner.ts';

const incrementalPlans = new WeakMap<OperationPlan, OperationPlan>();

/**
 * The plan of an operation whose deferred fragments are executed later: of a document without fragment spreads, so that
 * each field node has one place in the result.
 */
export function incrementalPlanOf(plan: OperationPlan, isProjected: boolean): OperationPlan {
  let found = incrementalPlans.get(plan);
  if (found === undefined) {
    const operation = inlined(plan);
    const document = { kind: Kind.DOCUMENT, definitions: [operation] } as const;
    found = planOf(plan.schema, document, operation);
    found.implied = impliedIn(found, isProjected);
    incrementalPlans.set(plan, found);
  }
  return found;
}

function inlined({ document, operation }: OperationPlan): OperationDefinitionNode {
  const inline = (set: SelectionSetNode): SelectionSetNode => ({
    ...set,
    selections: set.selections.map((node) => {
      if (node.kind !== Kind.FRAGMENT_SPREAD) {
        const { selectionSet } = node;
        return selectionSet === undefined
          ? { ...node }
          : { ...node, selectionSet: inline(selectionSet) };
      }
      const { name: _, ...spread } = node;
      const { typeCondition, selectionSet } = document.fragments.get(node.name.value)!;
      return {
        ...spread,
        kind: Kind.INLINE_FRAGMENT,
        typeCondition,
        selectionSet: inline(selectionSet),
      };
    }),
  });
  return { ...operation, selectionSet: inline(operation.selectionSet) };
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
 * Requirements of deferred fragments that are read with the others, because a read returns them in any case or cannot be
 * repeated. Reading more of a response later would make the DMS prepare it twice, and a recognition result has no ID by
 * which it could be read again. Both are therefore always read completely.
 */
function impliedIn(
  plan: OperationPlan,
  isProjected: boolean,
): NonNullable<OperationPlan['implied']> {
  const ofResponse = responseRequirements(plan);
  return ({ requirements, deferred }) => {
    const added = requirements.has('response') ? [...ofResponse] : [];
    for (const requirement of deferred) {
      const entity = requirement.slice(0, Math.max(0, requirement.lastIndexOf('.')));
      const isWhole = wholeEntities.includes(entity)
        ? requirements.has(entity)
        : !isProjected && !embedded.has(requirement) && (entity === '' || requirements.has(entity));
      if (isWhole) added.push(requirement);
    }
    return added;
  };
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
