import { builder } from '../builder.ts';
import { bounds } from '../input/list-bounds.ts';
import { mutationErrorFrom } from '../input/mutation-error.ts';
import { PhaseActionEnum } from '../workflow-action.ts';
import {
  defineWorkflowMutations,
  expectedRevisionText,
  readBeforeWrite,
} from './workflow-mutation.ts';

const Input = builder.inputType('MoveDocumentInput', {
  description: 'A change of the phase or status of a document.',
  fields: (t) => ({
    document: t.id({
      required: true,
      description: 'Global, full or short ID of the document, such as `DOC-0042`.',
    }),
    action: t.field({ type: PhaseActionEnum, required: true, description: 'The action to take.' }),
    expectedRevision: t.int({
      description: `${expectedRevisionText} Costs one more DMS request.`,
    }),
  }),
});

defineWorkflowMutations('moveDocument', 'moveDocuments', {
  input: Input,
  list: 'moves',
  descriptions: {
    mutation:
      'Moves a document to another phase or changes its status. Requires that the user is the initiator of the document or has the DMS role `elAdminDocsRW`.',
    input: 'The change of phase or status.',
    nullWhen: 'Null after `DELETE`, and if the user can no longer see it.',
    bulkMutation: `Makes up to ${bounds.bulkItems} changes, each as \`moveDocument\` does. Each is sent once and has its own result: one that is invalid or fails does not stop the others. Changes of one document are made in the order of the input, all others at the same time.`,
    bulkInput: 'Changes of the phase or status of several documents.',
    entries: 'The changes',
  },
  callsOf: ({ expectedRevision }) => (expectedRevision == null ? 1 : 2),
  deletes: ({ action }) => action === 'DELETE',
  check: (_check, { action }) => ({ action, requires: [] }),
  async write(change, context) {
    const { documentId, action } = change;
    const read = await readBeforeWrite(change, context);
    if ('failure' in read) return read.failure;
    const result = await context.dms.documents.move({ documentId, action });
    if (result.outcome !== 'done') return mutationErrorFrom(result, 'The document');
    context.loaders.clear();
    return { documentId: action === 'DELETE' ? null : documentId };
  },
});
