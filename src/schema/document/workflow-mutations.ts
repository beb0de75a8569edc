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
        description: `The document, read anew. ${nullWhen}`,
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
  'A response that was taken.',
  'Null where the user may no longer see it.',
);
const MovePayload = payload(
  'MoveDocumentPayload',
  'A move that was made.',
  'Null after DELETE, and where the user may no longer see it.',
);

const RespondResult = builder.unionType('RespondToDocumentResult', {
  description: 'What became of respondToDocument.',
  types: [RespondPayload, ...mutationErrorRefs, ConflictErrorRef],
  resolveType: (result) => typeNameOf(result as Conflict | MutationError),
});

const MoveResult = builder.unionType('MoveDocumentResult', {
  description: 'What became of moveDocument.',
  types: [MovePayload, ...mutationErrorRefs, ConflictErrorRef],
  resolveType: (result) => typeNameOf(result as Conflict | MutationError),
});

const expectedRevision =
  'Refuse with ConflictError when the document’s revision (`meta.revision`) is another one. It is read just before, so that two writes at the same moment can still both pass: best effort.';

const RespondInput = builder.inputType('RespondToDocumentInput', {
  description: 'A participant’s answer in the current phase. What is left out or null is not sent.',
  fields: (t) => ({
    document: t.id({ required: true, description: 'Global, full or short id of the document.' }),
    response: t.id({
      description:
        'Global or full id of the response to give. Left out, the gateway asks the DMS for the user’s response in the current phase, which costs one more request.',
    }),
    action: t.field({ type: ResponseActionEnum, required: true, description: 'The answer.' }),
    content: t.string({ description: 'What to say about it.' }),
    values: t.field({
      type: [FieldValueInputRef],
      description: `Values to set on the document, at most ${bounds.inputValues}.`,
    }),
    tags: t.stringList({
      description: `The document’s tags from now on, at most ${bounds.inputTags}; no commas in a tag.`,
    }),
    expectedRevision: t.int({ description: expectedRevision }),
  }),
});

const MoveInput = builder.inputType('MoveDocumentInput', {
  description: 'A move of a document to another phase or status.',
  fields: (t) => ({
    document: t.id({ required: true, description: 'Global, full or short id of the document.' }),
    action: t.field({ type: PhaseActionEnum, required: true, description: 'Where to move it.' }),
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
    const message = 'The DMS does not tell the revision of this document.';
    return validationError([{ path: ['expectedRevision'], message }]);
  }
  return {
    __typename: 'ConflictError',
    message: `The document has changed: its revision is ${actual}, not ${expected}.`,
    expectedRevision: expected,
    actualRevision: actual,
  };
}

const documentNotFound = 'The document was not found.';

builder.mutationField('respondToDocument', (t) =>
  t.field({
    type: RespondResult,
    args: { input: t.arg({ type: RespondInput, required: true, description: 'The answer.' }) },
    description:
      'A workflow participant’s answer in the current phase. It is sent once; where no answer comes, the error has the code OUTCOME_UNKNOWN.',
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
        return notFound('There is nothing for you to respond to in the document’s current phase.');
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
    args: { input: t.arg({ type: MoveInput, required: true, description: 'The move.' }) },
    description:
      'Status and phase, for the initiator or an administrator (role elAdminDocsRW). It is sent once; where no answer comes, the error has the code OUTCOME_UNKNOWN.',
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
