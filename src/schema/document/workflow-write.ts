import type { GatewayContext } from '../../context.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document } from '../../model/document.ts';
import { isFullId } from '../../model/id.ts';
import { builder } from '../builder.ts';
import type { Path } from '../input/input-check.ts';
import {
  notFound,
  validationError,
  type Conflict,
  type MutationError,
} from '../input/mutation-error.ts';
import { DocumentRef } from '../refs.ts';
import { documentRequirements, isKeyOnly } from '../plan/requirements.ts';

/*
 * The common parts of the workflow mutations: the response of a participant in the current phase, and changes of phase
 * or status by the initiator or an administrator.
 */

/** A checked input: one write to one document. */
export interface WorkflowWrite {
  /** Full or short ID. */
  readonly documentId: string;
  readonly expectedRevision: number | null | undefined;
  /** Path of the input within the argument of the mutation. */
  readonly at: Path;
  /** Number of upstream calls: the write, and the read before it if there is one. */
  readonly calls: number;
}

/** A write that was executed. */
export interface WorkflowPayload<Name> {
  readonly __typename: Name;
  /** Full or short ID. Null if the document was deleted. */
  readonly documentId: string | null;
}

/** Implements the payload type of a workflow mutation. */
export function workflowPayload<Name extends string>(
  name: Name,
  description: string,
  nullWhen: string,
) {
  return builder.objectRef<WorkflowPayload<Name>>(name).implement({
    description,
    fields: (t) => ({
      document: t.field({
        type: DocumentRef,
        nullable: true,
        upstreamCalls: true,
        description: `The document after the change. Costs one DMS request. ${nullWhen}`,
        resolve: ({ documentId }, _args, { loaders }, info) => {
          if (documentId === null) return null;
          if (isFullId(documentId) && isKeyOnly(info)) return { fullId: documentId };
          return loaders.document.load(documentId, documentRequirements(info));
        },
      }),
    }),
  });
}

/** Executes a checked input. An invalid one is not executed, and its issues are the result. */
export function writeOne<Write, Result>(
  checked: { readonly value: Write } | { readonly failure: MutationError },
  write: (value: Write, context: GatewayContext) => Promise<Result>,
  context: GatewayContext,
): Promise<Result> | MutationError {
  return 'failure' in checked ? checked.failure : write(checked.value, context);
}

/** Description of the input field `expectedRevision`. */
export const expectedRevisionText =
  'Revision that the document must have, from `meta.revision`. If it has another one, nothing is written and the result is `ConflictError`. Best effort: the revision is read just before the write, so two simultaneous writes can both succeed.';

/**
 * Reads the properties that must be known before a write. Costs one upstream call, or none if no property is required.
 * @returns the document, or why nothing is written: it does not exist, or has another revision than expected
 */
export async function readBeforeWrite(
  { documentId, expectedRevision, at }: WorkflowWrite,
  needsResponse: boolean,
  { loaders }: GatewayContext,
): Promise<{ readonly document: Document } | { readonly failure: Conflict | MutationError }> {
  const requirements = new Set<DocumentRequirement>();
  if (expectedRevision != null) requirements.add('meta');
  if (needsResponse) requirements.add('response');
  if (requirements.size === 0) return { document: { fullId: documentId } };
  loaders.clear(); // an earlier write of the operation may have read an older state
  const document = await loaders.document.load(documentId, requirements);
  if (document === null) return { failure: notFound('The document was not found.') };
  const failure = conflictFor(document, expectedRevision, at);
  return failure === null ? { document } : { failure };
}

function conflictFor(
  document: Document,
  expected: number | null | undefined,
  at: Path,
): Conflict | MutationError | null {
  const actual = document.meta?.revision;
  if (expected == null || actual === expected) return null;
  if (actual == null) {
    const message =
      'The DMS does not report the revision of this document. Omit `expectedRevision`.';
    return validationError([{ path: [...at, 'expectedRevision'].map(String), message }]);
  }
  return {
    __typename: 'ConflictError',
    message: `The document has changed: its revision is ${actual}, not ${expected}. Read it again before you retry.`,
    expectedRevision: expected,
    actualRevision: actual,
  };
}
