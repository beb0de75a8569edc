import type { GatewayContext } from '../../context.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document } from '../../model/document.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder } from '../builder.ts';
import {
  ConflictErrorRef,
  mutationErrorFrom,
  mutationErrorRefs,
  notFound,
  typeNameOf,
  validationError,
  type Conflict,
  type MutationError,
} from '../input/mutation-error.ts';
import { isFullId } from '../../model/id.ts';
import { checkInput, definedFields } from '../input/input-check.ts';
import { FieldValueInputRef } from '../input/field-value.ts';
import { documentRequirements, isKeyOnly } from '../selection/projection.ts';
import { DocumentRef } from '../refs.ts';
import { PhaseActionEnum, ResponseActionEnum } from '../workflow-action.ts';

/*
 * Workflow: a participant's answer in the current phase, and the moves of the initiator or an administrator.
 */

interface WorkflowPayload<Name> {
  readonly __typename: Name;
  /** Full or short id; null if the document was deleted. */
  readonly documentId: string | null;
}

function payload<Name extends string>(name: Name, description: string, nullWhen: string) {
  return builder.objectRef<WorkflowPayload<Name>>(name).implement({
    description,
    fields: (t) => ({
      document: t.field({
        type: DocumentRef,
        nullable: true,
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

const RespondPayload = payload(
  'RespondToDocumentPayload',
  'Returned if `respondToDocument` succeeds.',
  'Null if the user can no longer see it.',
);
const MovePayload = payload(
  'MoveDocumentPayload',
  'Returned if `moveDocument` succeeds.',
  'Null after `DELETE`, and if the user can no longer see it.',
);

const RespondResult = builder.unionType('RespondToDocumentResult', {
  description: 'The result of `respondToDocument`.',
  types: [RespondPayload, ...mutationErrorRefs, ConflictErrorRef],
  resolveType: (result) => typeNameOf(result as Conflict | MutationError),
});

const MoveResult = builder.unionType('MoveDocumentResult', {
  description: 'The result of `moveDocument`.',
  types: [MovePayload, ...mutationErrorRefs, ConflictErrorRef],
  resolveType: (result) => typeNameOf(result as Conflict | MutationError),
});

const expectedRevision =
  'Revision that the document must have, from `meta.revision`. If it has another one, nothing is written and the result is `ConflictError`. Best effort: the revision is read just before the write, so two simultaneous writes can both succeed.';

const RespondInput = builder.inputType('RespondToDocumentInput', {
  description:
    'A workflow action of a participant in the current phase. Omitted and null fields are not sent.',
  fields: (t) => ({
    document: t.id({
      required: true,
      description: 'Global, full or short ID of the document, such as `DOC-0042`.',
    }),
    response: t.id({
      description:
        'Global or full ID of the response, from `Document.response`. If omitted, the gateway fetches it, which costs one additional DMS request.',
    }),
    action: t.field({
      type: ResponseActionEnum,
      required: true,
      description: 'The action to take.',
    }),
    content: t.string({ description: 'Comment on the action.' }),
    values: t.field({
      type: [FieldValueInputRef],
      description: `Values of form fields to set, at most ${bounds.inputValues}.`,
    }),
    tags: t.stringList({
      description: `New tags, which replace all tags of the document; at most ${bounds.inputTags}. A tag cannot contain a comma.`,
    }),
    expectedRevision: t.int({ description: expectedRevision }),
  }),
});

const MoveInput = builder.inputType('MoveDocumentInput', {
  description: 'A change of the phase or status of a document.',
  fields: (t) => ({
    document: t.id({
      required: true,
      description: 'Global, full or short ID of the document, such as `DOC-0042`.',
    }),
    action: t.field({ type: PhaseActionEnum, required: true, description: 'The action to take.' }),
    expectedRevision: t.int({ description: expectedRevision }),
  }),
});

/** Reads what has to be known before a write; nothing is asked where nothing has to be. */
async function readBeforeWrite(
  id: string,
  requirements: readonly DocumentRequirement[],
  { loaders }: GatewayContext,
): Promise<Document | null> {
  if (requirements.length === 0) return { fullId: id };
  loaders.clear(); // what an earlier mutation of the operation has read may be old by now
  return loaders.document.load(id, new Set(requirements));
}

function conflictFor(
  document: Document,
  expected: number | null | undefined,
): Conflict | MutationError | null {
  const actual = document.meta?.revision;
  if (expected == null || actual === expected) return null;
  if (actual == null) {
    const message =
      'The DMS does not report the revision of this document. Omit `expectedRevision`.';
    return validationError([{ path: ['expectedRevision'], message }]);
  }
  return {
    __typename: 'ConflictError',
    message: `The document has changed: its revision is ${actual}, not ${expected}. Read it again before you retry.`,
    expectedRevision: expected,
    actualRevision: actual,
  };
}

const documentNotFound = 'The document was not found.';

builder.mutationField('respondToDocument', (t) =>
  t.field({
    type: RespondResult,
    args: {
      input: t.arg({ type: RespondInput, required: true, description: 'The workflow action.' }),
    },
    description:
      'Takes a workflow action as a participant of the current phase. Can also set values and tags of the document.',
    resolve: async (_root, { input }, context) => {
      const check = checkInput((check) => ({
        documentId: check.id('Document', input.document, ['document']),
        responseId: check.optionalId('DocumentResponse', input.response, ['response']),
        parts: definedFields({
          content: input.content,
          values: check.values(input.values),
          tags: check.tags(input.tags),
        }),
      }));
      if ('failure' in check) return check.failure;
      const { documentId, parts } = check.value;
      const requirements: DocumentRequirement[] = [];
      if (input.expectedRevision != null) requirements.push('meta');
      if (check.value.responseId === undefined) requirements.push('response');
      const document = await readBeforeWrite(documentId, requirements, context);
      if (document === null) return notFound(documentNotFound);
      const conflictError = conflictFor(document, input.expectedRevision);
      if (conflictError !== null) return conflictError;
      const responseId = check.value.responseId ?? document.response?.fullId;
      if (responseId === undefined) {
        return notFound('The document does not expect a response from you in its current phase.');
      }
      const result = await context.dms.documents.respond({
        documentId,
        responseId,
        action: input.action,
        ...parts,
      });
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The document');
      context.loaders.clear();
      return { __typename: 'RespondToDocumentPayload' as const, documentId };
    },
  }),
);

builder.mutationField('moveDocument', (t) =>
  t.field({
    type: MoveResult,
    args: {
      input: t.arg({
        type: MoveInput,
        required: true,
        description: 'The change of phase or status.',
      }),
    },
    description:
      'Moves a document to another phase or changes its status. Requires that the user is the initiator of the document or has the DMS role `elAdminDocsRW`.',
    resolve: async (_root, { input }, context) => {
      const check = checkInput((check) => check.id('Document', input.document, ['document']));
      if ('failure' in check) return check.failure;
      const id = check.value;
      const document = await readBeforeWrite(
        id,
        input.expectedRevision == null ? [] : ['meta'],
        context,
      );
      if (document === null) return notFound(documentNotFound);
      const conflictError = conflictFor(document, input.expectedRevision);
      if (conflictError !== null) return conflictError;
      const result = await context.dms.documents.move({ documentId: id, action: input.action });
      if (result.outcome !== 'done') return mutationErrorFrom(result, 'The document');
      context.loaders.clear();
      const documentId = input.action === 'DELETE' ? null : id;
      return { __typename: 'MoveDocumentPayload' as const, documentId };
    },
  }),
);
