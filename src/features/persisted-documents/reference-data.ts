import { getNamedType, type GraphQLObjectType } from 'graphql';
import { isNodeType, resources } from '../../model/resource.ts';
import type { OperationPlan, Selection } from '../../schema/plan/operation-plan.ts';

/**
 * Whether an operation is a query that reads nothing but reference data: objects of cached resources, and pages and parts
 * of them. Fields of a team can read anything.
 */
export function readsReferenceData({ operation, root, fields }: OperationPlan): boolean {
  const rootFields = root.fields.filter(({ definition }) => definition !== null);
  return (
    operation.operation === 'query' &&
    rootFields.length > 0 &&
    rootFields.every(({ below }) => below.some(isObjectOrPage)) &&
    [...fields.values()]
      .flat()
      .every(
        ({ parentType, hints }) =>
          (parentType === root.type || isReferenceData(parentType)) && hints.isTeamField !== true,
      )
  );
}

function isObjectOrPage({ type }: Selection): boolean {
  return isNodeType(type.name) || 'nodes' in type.getFields();
}

function isReferenceData(type: GraphQLObjectType): boolean {
  if (isNodeType(type.name)) return resources[type.name].isCached;
  return Object.values(type.getFields()).every((field) => {
    const { name } = getNamedType(field.type);
    return !isNodeType(name) || resources[name].isCached;
  });
}
