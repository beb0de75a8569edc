import {
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { hintsOf } from './field-hints.ts';

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

/** Operations of gateways that request all properties (`DMS_PROJECTION=off`). */
const unprojected = new WeakSet<object>();

/** Marks an operation whose reads return all properties that are not embedded (`DMS_PROJECTION=off`). */
export function markUnprojected(operation: OperationDefinitionNode): void {
  unprojected.add(operation);
}

/** By operation, the requirements with which every response is read. */
const responseRequirements = new WeakMap<object, ReadonlySet<string>>();

/**
 * Extends each read of a response to the requirements of all fields of an operation that select one. Some of these
 * fields are executed later, and the DMS would otherwise prepare the response of one document several times. The result
 * is cached per operation.
 */
export function markResponses(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): void {
  if (responseRequirements.has(operation)) return;
  const requirements = new Set<string>();
  let responseFields = 0;
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Field() {
      const field = types.getFieldDef();
      if (field == null) return;
      const { requires, requiresUnder } = hintsOf(field);
      if (requiresUnder === 'response.') responseFields += 1;
      if (types.getParentType()?.name !== 'DocumentResponse' || !Array.isArray(requires)) return;
      for (const requirement of requires) requirements.add(`response.${requirement}`);
    },
  });
  visit(document, visitor);
  responseRequirements.set(operation, responseFields > 1 ? requirements : new Set());
}

/**
 * Adds the requirements of deferred fragments that are read together with those given. Reading more of a response later
 * would make the DMS prepare it twice, and a recognition result has no ID by which it could be read again. Both are
 * therefore always read completely.
 */
export function addImpliedRequirements(
  requirements: Set<string>,
  deferred: ReadonlySet<string>,
  operation: OperationDefinitionNode,
): void {
  if (requirements.has('response')) {
    for (const requirement of responseRequirements.get(operation) ?? []) {
      requirements.add(requirement);
    }
  }
  for (const requirement of deferred) {
    const entity = requirement.slice(0, Math.max(0, requirement.lastIndexOf('.')));
    const isWhole = wholeEntities.includes(entity)
      ? requirements.has(entity)
      : unprojected.has(operation) &&
        !embedded.has(requirement) &&
        (entity === '' || requirements.has(entity));
    if (isWhole) requirements.add(requirement);
  }
}
