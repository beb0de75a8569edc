import type { Caller } from '../caller.ts';
import type { Wanted } from '../projection.ts';
import { pick } from '../projection.ts';
import type { Database } from '../store/database.ts';
import type { Document } from '../store/documents.ts';
import { referringDocuments } from '../store/documents.ts';
import { attachmentsOf, filesOfRecoEntry } from '../store/files.ts';
import { metaOf } from '../store/meta.ts';
import type { RecoEntry } from '../store/recognition.ts';
import { recoEntriesOf } from '../store/recognition.ts';
import { prepareResponse, responseToWire } from '../store/responses.ts';

/** The plain fields of a DocForm. `form` and `idp` are not part of the specification. */
export function plainFields(document: Document): Record<string, unknown> {
  const { flow } = document;
  return {
    _id: document.id,
    _id_web: document.webId,
    _meta: metaOf(document),
    author: document.author,
    state: flow.state,
    step: flow.step,
    iteration: flow.iteration,
    status: flow.status,
    ...document.properties,
    _tags: document.tags,
    form: document.form,
    ...(document.idp === null
      ? {}
      : { idp: { lngs: document.idp.languages, frpr: document.idp.forced } }),
  };
}

/**
 * Renders a document with the requested fields. Must run in a transaction, because embedding `docResponse` can store
 * one.
 * @param always names that are included even if `fields` does not contain them
 */
export function renderDocument(
  db: Database,
  caller: Caller,
  document: Document,
  wanted: Wanted,
  always: readonly string[] = [],
): Record<string, unknown> {
  const { fields, embed } = wanted;
  const shown = fields === null ? null : new Set([...fields, ...always]);
  const result = pick(plainFields(document), shown);

  if (embed.has('filesList') || fields?.has('filesList') || always.includes('filesList')) {
    // If `fields` names the list, its items are complete: that is how clients find file IDs (REST spec, Documents 2).
    const whole = shown === null || shown.has('filesList');
    const files = attachmentsOf(db, document.id);
    result.filesList = whole ? files : files.map((file) => pick({ ...file }, shown));
  }
  if (embed.has('valuesByTags')) result.valuesByTags = document.values;
  if (embed.has('refByDocs')) result.refByDocs = referringDocuments(db, caller, document.id);
  if (embed.has('recoData')) {
    result.recoData = recoEntriesOf(db, document.id).map((entry) => renderEntry(db, entry, wanted));
  }
  if (embed.has('docResponse')) {
    const response = prepareResponse(db, document, caller.actorId);
    result.docResponse = response === null ? null : pick(responseToWire(response), fields);
  }
  return result;
}

/**
 * Renders a recognition entry. Its `filesList` is not part of the specification, but clients could not find the file
 * IDs otherwise.
 */
function renderEntry(
  db: Database,
  entry: RecoEntry,
  { fields, embed }: Wanted,
): Record<string, unknown> {
  const { recoResult, ...body } = entry.body;
  const files = filesOfRecoEntry(db, entry.id);
  const result = pick({ _id: entry.id, ...body, filesList: files }, fields);
  if (embed.has('recoResult')) result.recoResult = pick(recoResult, fields);
  return result;
}
