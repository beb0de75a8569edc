import type { OperationDefinitionNode } from 'graphql';

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

/**
 * Adds what deferred fragments require and what comes along with the rest. To read more of a response later would make the
 * DMS prepare it twice, and a recognition result has no id to be found again by, so they are always read whole.
 */
export function addWhatComesAlong(
  requirements: Set<string>,
  deferred: ReadonlySet<string>,
  operation: OperationDefinitionNode,
): void {
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
