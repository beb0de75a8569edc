import {
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { hintsOf } from './field-hints.ts';

/** Embedded entities that are read once and whole; `result` is that of a RecoData. */
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

/** Operations before a DMS that is not told which properties to send. */
const unprojected = new WeakSet<object>();

/** Says that every read of an operation brings all properties that are not embedded (`DMS_PROJECTION=off`). */
export function markUnprojected(operation: OperationDefinitionNode): void {
  unprojected.add(operation);
}

/** The requirements of responses that are read together, by operation. */
const responseRequirements = new WeakMap<object, ReadonlySet<string>>();

/**
 * Makes each read of a response bring what all places of an operation require that select one. Some places are executed
 * later, and the DMS would otherwise prepare the response of one document several times. Costs nothing if the operation
 * was seen before.
 */
export function markResponses(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): void {
  if (responseRequirements.has(operation)) return;
  const requirements = new Set<string>();
  let places = 0;
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Field() {
      const field = types.getFieldDef();
      if (field == null) return;
      const { requires, requiresUnder } = hintsOf(field);
      if (requiresUnder === 'response.') places += 1;
      if (types.getParentType()?.name !== 'DocumentResponse' || !Array.isArray(requires)) return;
      for (const requirement of requires) requirements.add(`response.${requirement}`);
    },
  });
  visit(document, visitor);
  responseRequirements.set(operation, places > 1 ? requirements : new Set());
}

/**
 * Adds what deferred fragments require and what comes along with the rest. To read more of a response later would make the
 * DMS prepare it twice, and a recognition result has no id to be found again by, so they are always read whole.
 */
export function addWhatComesAlong(
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
