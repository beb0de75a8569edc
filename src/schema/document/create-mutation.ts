import type { GraphQLError } from 'graphql';
import type { GatewayContext } from '../../context.ts';
import type { DocumentRequirement } from '../../model/document-requirements.ts';
import type { Document, ArrivedFile, UploadFile } from '../../model/document.ts';
import type { DeclaredForms } from '../../model/form.ts';
import { bounds } from '../input/list-bounds.ts';
import { builder, plainFields } from '../builder.ts';
import { createGraphQLError } from '../graphql-error.ts';
import { defineMutation } from '../input/define-mutation.ts';
import { ownIdIn, toGlobalId } from '../ids.ts';
import { mutationErrorFrom, notFound } from '../input/mutation-error.ts';
import { isFullId } from '../../model/resource.ts';
import {
  checkInput,
  definedFields,
  type InputCheck,
  FieldValueInputRef,
} from '../input/input-check.ts';
import { valueRulesOf, type ValuesInput } from '../input/value-rules.ts';
import { documentRequirements } from '../plan/requirements.ts';
import { DocumentRef } from '../refs.ts';
import { CreateActionEnum } from '../workflow-action.ts';

/** The payload of a document that cannot be read has no ID. Without one, a client would create the document again. */
function unreadableDocument({ fullId, shortId }: Document, cause: unknown): GraphQLError {
  const name = shortId == null ? fullId : `${shortId} (${fullId})`;
  return createGraphQLError(
    `The document ${name} was created but could not be read. Do not create it again.`,
    {
      originalError: cause instanceof Error ? cause : null,
      extensions: { createdId: toGlobalId('Document', fullId) },
    },
  );
}

const Input = builder.inputType('CreateDocumentInput', {
  description: 'A new document. Omitted and null fields are not sent.',
  fields: (t) => ({
    form: t.id({
      required: true,
      description:
        'Global, full or short ID of the form, such as `invoice`. A global or full ID costs one additional DMS request.',
    }),
    values: t.field({
      type: [FieldValueInputRef],
      description: `Values of form fields, at most ${bounds.inputValues}.`,
    }),
    tags: t.stringList({
      description: `Tags of the document, at most ${bounds.inputTags}. A tag cannot contain a comma.`,
    }),
    files: t.field({
      type: ['Upload'],
      description:
        'Attachments, at most `MAX_UPLOAD_FILES` (default: 20). The DMS stores them in the order in which they arrive.',
    }),
    action: t.field({
      type: CreateActionEnum,
      description: 'Workflow action to take on creation.',
    }),
    allowDuplicates: t.boolean({
      description:
        'Whether an attachment can have the same content (SHA-256) as an attachment of another document. Default of the DMS: true.',
    }),
    ocrLanguages: t.stringList({
      description: `OCR languages of the attachments, such as \`eng\`; at most ${bounds.ocrLanguages}. Default of the DMS: \`eng\`.`,
    }),
    forceOcr: t.boolean({
      description:
        'Whether to run OCR even on attachments that contain text. The recognized text replaces that text. Default of the DMS: false.',
    }),
  }),
});

type CreateArgs = typeof Input.$inferInput & ValuesInput;

function checkedInput(input: CreateArgs, forms: DeclaredForms | null) {
  const { checkValues, checkForm } = valueRulesOf(forms);
  return checkInput((check) => {
    const { files, form: given, values: _, fields: _typed, tags, ocrLanguages, ...plain } = input;
    checkFiles(check, files ?? []);
    const form = check.id('Form', given, ['form']);
    const checked = checkValues(check, input, 'newDocument');
    const declared = forms?.all.find(({ fullId, shortId }) => fullId === form || shortId === form);
    checkForm(check, { ...checked, plain: input.values }, declared ?? null, 'newDocument');
    return {
      form,
      files: files ?? [],
      rest: definedFields({
        ...plain,
        values: checked.values,
        tags: check.tags(tags),
        ocrLanguages: checkLanguages(check, ocrLanguages),
      }),
    };
  });
}

/**
 * Checks that no file is used twice: each part of the request is read once, so it can be only one file of the document.
 */
function checkFiles(check: InputCheck, files: readonly Promise<ArrivedFile>[]): void {
  const seen = new Set<Promise<ArrivedFile>>();
  for (const [i, file] of files.entries()) {
    if (seen.has(file)) {
      check.issue(
        ['files', i],
        '`map` assigns this file to an earlier entry already. Upload it once per entry.',
      );
    }
    seen.add(file);
  }
}

/**
 * Yields the files in the order in which they arrive, not in that of the list. Files are not buffered, so waiting for a
 * later file would block the earlier one. Small files can arrive together, before the first one is requested.
 */
async function* inArrivalOrder(files: readonly Promise<ArrivedFile>[]): AsyncGenerator<UploadFile> {
  const arrived: ArrivedFile[] = [];
  const pending = new Map<Promise<ArrivedFile>, Promise<void>>();
  const arrival = async (file: Promise<ArrivedFile>): Promise<void> => {
    arrived.push(await file);
    pending.delete(file);
  };
  for (const file of files) pending.set(file, arrival(file));
  while (arrived.length > 0 || pending.size > 0) {
    if (arrived.length === 0) await Promise.race(pending.values());
    arrived.sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
    const { filename, mimetype, createReadStream } = arrived.shift()!;
    yield { name: filename, contentType: mimetype, open: createReadStream };
  }
}

function checkLanguages(check: InputCheck, languages: readonly string[] | null | undefined) {
  if (languages == null || !check.checkLength(['ocrLanguages'], languages, bounds.ocrLanguages)) {
    return undefined;
  }
  for (const [i, language] of languages.entries()) {
    if (/^[A-Za-z_]{2,32}$/.test(language)) continue;
    check.issue(['ocrLanguages', i], 'An OCR language must be a code such as `eng`.');
  }
  return languages.length === 0 ? undefined : languages;
}

async function formNameOf(form: string, { loaders }: GatewayContext): Promise<string | null> {
  return isFullId(form) ? ((await loaders.form.load(form))?.shortId ?? null) : form;
}

function knownRequirements(document: Document): ReadonlySet<DocumentRequirement> {
  const { fullId: _, ...properties } = document;
  return new Set(
    Object.entries(properties)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name as DocumentRequirement),
  );
}

interface Created {
  readonly document: Document;
  readonly workflowError: string | null;
}

defineMutation<CreateArgs, Created>('createDocument', {
  input: Input,
  descriptions: {
    mutation:
      'Creates a document with its attachments. If the error code is `OUTCOME_UNKNOWN`, check whether the document exists before you create it again.',
    input: 'The document to create.',
  },
  calls: ({ form }, forms) => (forms === null && isFullId(ownIdIn(form)) ? 2 : 1),
  fields: (t) => ({
    document: t.field({
      type: DocumentRef,
      upstreamCalls: 'shared',
      description:
        'The created document. Properties that the DMS returns on creation cost no additional DMS request; all other selected properties cost one. If that request fails, `extensions.createdId` of the error is the global ID of the document: do not create it again.',
      resolve: async ({ document }, _args, { loaders }, info) => {
        try {
          return (
            (await loaders.document.load(document.fullId, documentRequirements(info))) ?? document
          );
        } catch (error) {
          throw unreadableDocument(document, error);
        }
      },
    }),
    ...plainFields(t, 'String', {
      workflowError:
        'Why the DMS did not take the requested `action`. The document was created nevertheless. Null if the DMS reported no failure. Check `document.state` as well: it confirms that the action was taken.',
    }),
  }),
  async resolve(input, context) {
    const { dms, loaders } = context;
    const check = checkedInput(input, context.forms);
    if ('failure' in check) return check.failure;
    const { form, files, rest } = check.value;
    const formName = await formNameOf(form, context);
    if (formName === null) return notFound('The form was not found.');
    const result = await dms.documents.create({ formName, ...rest }, inArrivalOrder(files));
    if (result.outcome === 'notFound') return mutationErrorFrom(result, 'The form');
    if (result.outcome !== 'done') return mutationErrorFrom(result, 'The document');
    loaders.clear();
    loaders.document.prime([result.value.document], knownRequirements(result.value.document));
    return result.value;
  },
});
