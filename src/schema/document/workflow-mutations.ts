import { builder } from '../builder.ts';
import { FieldValueInputRef, checkInput, definedFields } from '../input/input-check.ts';
import { bounds } from '../input/list-bounds.ts';
import { mutationErrorFrom, notFound } from '../input/mutation-error.ts';
import { valueRulesOf } from '../input/value-rules.ts';
import { ResponseActionEnum, PhaseActionEnum } from '../workflow-action.ts';
import {
  defineWorkflowMutations,
  expectedRevisionText,
  readAfterCheck,
  readBeforeWrite,
} from './define-workflow-mutations.ts';

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
    expectedRevision: t.int({
      description: `${expectedRevisionText} Costs one more DMS request, unless \`response\` is omitted: one request then reads both.`,
    }),
  }),
});

defineWorkflowMutations('respondToDocument', 'respondToDocuments', {
  input: RespondInput,
  list: 'responses',
  descriptions: {
    mutation:
      'Takes a workflow action as a participant of the current phase. Can also set values and tags of the document.',
    input: 'The workflow action.',
    nullWhen: 'Null if the user can no longer see it.',
    bulkMutation: `Takes up to ${bounds.bulkItems} workflow actions, each as \`respondToDocument\` does. Each is sent once and has its own result: one that is invalid or fails does not stop the others. Actions on one document are taken in the order of the input, all others at the same time.`,
    bulkInput: 'Workflow actions on several documents.',
    entries: 'The workflow actions',
  },
  callsOf: ({ response, expectedRevision }) =>
    response == null || expectedRevision != null ? 2 : 1,
  maxCallsOf(input, forms) {
    const { response, expectedRevision } = input;
    const rules = valueRulesOf(forms);
    const stored = rules.storedRequirements(input);
    const reads = response == null || expectedRevision != null || stored.length > 0 ? 1 : 0;
    return 1 + reads + (response == null && rules.checksForm(input) ? 1 : 0);
  },
  check(check, input, { forms }) {
    const responseId = check.optionalId('DocumentResponse', input.response, ['response']);
    const rules = valueRulesOf(forms);
    const { values, typed } = rules.checkValues(check, input, 'document');
    const stored = rules.storedRequirements(input);
    const response = responseId === undefined ? (['response'] as const) : [];
    // Reading the response makes the DMS create it, so the form of the document is checked before.
    const isAfterCheck = rules.checksForm(input);
    return {
      responseId,
      action: input.action,
      parts: definedFields({
        content: input.content,
        values,
        tags: check.tags(input.tags),
      }),
      requires: isAfterCheck ? stored : [...stored, ...response],
      requiresAfterCheck: isAfterCheck ? response : [],
      plain: input.values,
      typed,
    };
  },
  async write(write, context) {
    const { documentId, action, parts, at } = write;
    const read = await readBeforeWrite(write, context);
    if ('failure' in read) return read.failure;
    const rules = valueRulesOf(context.forms);
    const form = rules.formOf(read.document);
    const checked = checkInput((check) => {
      if (form === undefined) return;
      rules.checkForm(check, { ...write, values: parts.values }, form, 'document');
    }, at);
    if ('failure' in checked) return checked.failure;
    const document = await readAfterCheck(write, read.document, context);
    const responseId = write.responseId ?? document?.response?.fullId;
    if (responseId === undefined) {
      return notFound('The document does not expect a response from you in its current phase.');
    }
    const values = rules.keepStored({ ...write, values: parts.values }, read.document);
    const change = { documentId, responseId, action, ...parts, ...(values && { values }) };
    const result = await context.dms.documents.respond(change);
    if (result.outcome === 'notFound')
      return mutationErrorFrom(result, 'The document or its response');
    if (result.outcome !== 'done') return mutationErrorFrom(result, 'The document');
    context.loaders.clear();
    return { documentId };
  },
});

const MoveInput = builder.inputType('MoveDocumentInput', {
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
  input: MoveInput,
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
  check: (_check, { action }) => ({ action, requires: [], requiresAfterCheck: [] }),
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
