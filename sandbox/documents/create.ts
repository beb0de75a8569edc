import type { Caller } from '../caller.ts';
import { headerText, json } from '../http/response.ts';
import type { RequestContext, Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { flag } from '../http/query-parameters.ts';
import { newFullId, timestamp } from '../ids.ts';
import { badRequest, notFound, Problem, unchanged } from '../problem.ts';
import type { Service } from '../service.ts';
import type { Document, Values } from '../store/documents.ts';
import { insertDocument } from '../store/documents.ts';
import { findDuplicate, insertFile } from '../store/files.ts';
import type { Form } from '../store/forms.ts';
import { findFormByName } from '../store/forms.ts';
import { locateOrganization } from '../store/organizations.ts';
import { findOrgUnitByName } from '../store/org-units.ts';
import { findPerson, findPersonForLogin } from '../store/persons.ts';
import { setPageTexts } from '../store/recognition.ts';
import { nextNumber } from '../store/schema.ts';
import type { Upload, UploadedFile } from '../upload.ts';
import { readUpload } from '../upload.ts';
import { creationActions, phase, status } from '../workflow.ts';
import { actionInput, documentInput } from './input.ts';
import { moveDocument } from './moves.ts';
import { pageTextsIn } from './page-texts.ts';
import { propertiesOf } from './properties.ts';
import { plainFields } from './render.ts';
import { resolveRoute } from './route.ts';

interface Options {
  readonly allowDuplicates: boolean;
  readonly languages: readonly string[];
  readonly forced: boolean;
}

/**
 * POST docForm/form/{formName} (REST spec, Documents 6). Everything that can be checked without the body is checked
 * before it is read.
 */
export function postDocument(service: Service): Handler {
  return async (context) => {
    const form = findFormByName(service.db, param(context, 'formName'));
    if (form === undefined || !form.active) throw notFound('There is no such form.');
    const options = optionsOf(context.query);
    const upload = await readUpload(context.request, service.blobs, context.signal);
    try {
      return await create(service, context, form, options, upload);
    } finally {
      // Stored files have been renamed by now, so this removes rejected files only.
      for (const { received } of upload.files) service.blobs.discard(received);
    }
  };
}

function optionsOf(query: URLSearchParams): Options {
  const languages = (query.get('idpLngs') ?? 'eng').split('+');
  if (!languages.every((language) => /^[a-z]{3}(_[a-z]{1,8})?$/i.test(language))) {
    throw badRequest('idpLngs must be language codes joined with +, encoded as %2B.');
  }
  return {
    allowDuplicates: flag(query, 'allowDupl', true),
    languages,
    forced: flag(query, 'idpFrpr', false),
  };
}

async function create(
  { db, blobs }: Service,
  context: RequestContext,
  form: Form,
  options: Options,
  upload: Upload,
) {
  const { caller, signal } = context;
  const input = documentInput(upload.docForm);
  const action =
    upload.docResponse === undefined ? null : actionInput(upload.docResponse, creationActions);
  const author = authorOf(db, caller, upload.docForm?.author);
  const pages = await pageTextsIn(upload.files);
  if (signal.aborted) throw badRequest('The client disconnected.');

  const files = upload.files.map((file) => ({ fileId: newFullId(), ...file }));
  let workflowError = '';
  try {
    const created = db.transaction(() => {
      if (!options.allowDuplicates) refuseDuplicates(db, upload.files);
      const document = newDocument(db, caller, form, author, options, input);
      insertDocument(db, document);
      setPageTexts(db, document.id, pages);
      for (const [position, { fileId, name, received }] of files.entries()) {
        const { size, sha256 } = received;
        const place = { document: document.id, recoEntry: null, position };
        insertFile(db, { id: fileId, name, size, sha256, ...place });
      }
      // Files are renamed before the rows that refer to them are committed.
      blobs.keep(files);
      if (action === null) return document;
      try {
        return moveDocument(db, document, action);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        workflowError = error.message;
        return document;
      }
    });
    const headers: Record<string, string> =
      workflowError === '' ? {} : { 'X-Error': headerText(workflowError) };
    return json(plainFields(created), 201, headers);
  } catch (error) {
    for (const { fileId } of files) blobs.remove(fileId);
    throw error;
  }
}

type Db = Service['db'];

/** The author of the new document. The deprecated `author` field names a user if there is no run-as header. */
function authorOf(db: Db, caller: Caller, field: unknown): string {
  if (field === undefined || field === '' || caller.runsAsUser) return caller.actorId;
  const person = typeof field === 'string' ? findPersonForLogin(db, field) : undefined;
  if (person === undefined || !person.active) {
    throw badRequest('docForm.author must be the system id or e-mail address of an active user.');
  }
  return person.id;
}

function refuseDuplicates(db: Db, files: readonly UploadedFile[]): void {
  const hashes = files.map((file) => file.received.sha256);
  const known = findDuplicate(db, hashes);
  if (known !== undefined) {
    throw unchanged(`An attachment has the same content as one of document ${known.document}.`);
  }
  if (new Set(hashes).size < hashes.length) {
    throw unchanged('Two of the attachments have the same content.');
  }
}

function newDocument(
  db: Db,
  caller: Caller,
  form: Form,
  author: string,
  options: Options,
  input: ReturnType<typeof documentInput>,
): Document {
  const now = timestamp();
  const number = nextNumber(db, 'document');
  const values = input.values ?? {};
  return {
    id: newFullId(),
    webId: `DOC-${String(number).padStart(4, '0')}`,
    form: form.id,
    author,
    createdBy: caller.accountId,
    flow: {
      state: phase.draft,
      step: 0,
      iteration: 0,
      status: status.draft,
      held: null,
      route: resolveRoute(form.process, author, headOf(db, author)),
    },
    properties: propertiesOf({
      form,
      created: now,
      docnum: `${form.webId.slice(0, 3).toUpperCase()}-${String(number).padStart(4, '0')}`,
      topic: topicOf(db, form, values),
      seedNumber: null,
    }),
    values,
    tags: input.tags ?? [],
    idp: { languages: options.languages, forced: options.forced },
    created: now,
    modified: now,
    rev: 1,
  };
}

/** The subject, or else the title of the form with the first value that names the document. */
function topicOf(db: Db, form: Form, values: Values): string {
  const { subject } = values;
  if (typeof subject === 'string' && subject !== '') return subject;
  const names = form.body.doccf.customFields.map(({ type, fieldName }) => {
    const value = values[fieldName];
    if (typeof value !== 'string') return '';
    if (type === 'crmOrg') {
      const keys = { fullId: value, externalId: value, govId: value };
      return locateOrganization(db, keys)?.body.name ?? '';
    }
    return ['string', 'date'].includes(type) ? value : '';
  });
  return [form.body.doctitle, names.find((name) => name !== '')].filter(Boolean).join(' ');
}

/** The approver for an author: the head of the author's unit; the managing director for heads and accounts. */
function headOf(db: Db, author: string): string {
  const unit = findPerson(db, author)?.unit;
  const head = unit === undefined ? undefined : findOrgUnitByName(db, unit)?.head;
  if (head !== undefined && head !== '' && head !== author) return head;
  return findOrgUnitByName(db, 'Management')?.head ?? author;
}
