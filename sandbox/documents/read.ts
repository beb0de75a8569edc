import type { SandboxResponse } from '../http/response.ts';
import { download, json } from '../http/response.ts';
import type { RequestContext, Handler } from '../http/handler.ts';
import { param } from '../http/handler.ts';
import { requireRole } from '../caller.ts';
import { notFound } from '../problem.ts';
import { wantedFrom } from '../projection.ts';
import type { Service } from '../service.ts';
import { seeDocument } from '../store/documents.ts';
import { findFile } from '../store/files.ts';
import type { FileRow } from '../store/files.ts';
import { findResponse, responseToWire } from '../store/responses.ts';
import { contentOf } from './content.ts';
import { renderDocument } from './render.ts';
import { listView } from './view.ts';

/** GET docForm/{id} (REST spec, Documents 1). */
export function getDocument({ db }: Service): Handler {
  return (context) =>
    db.transaction(() => {
      const document = seeDocument(db, context.caller, param(context, 'id'));
      return json(renderDocument(db, context.caller, document, wantedFrom(context.query)));
    });
}

/** GET docForm/view/{viewId} (REST spec, Documents 3). */
export function getView({ db, variants }: Service): Handler {
  return (context) =>
    db.transaction(() => {
      const { caller, query } = context;
      const wanted = wantedFrom(query);
      const { page, total } = listView(db, caller, param(context, 'viewId'), query);
      const always = ['_id', '_id_web', ...(wanted.fields === null ? ['filesList'] : [])];
      const body = page.map((document) => renderDocument(db, caller, document, wanted, always));
      return json(body, 200, { [variants.totalCountHeader]: String(total) });
    });
}

/**
 * GET docForm/{id}/file/{fileId}; without a document ID in the route, the path of the earlier revision (REST spec,
 * Documents 2).
 */
export function getAttachment(service: Service): Handler {
  return (context) => {
    const file = findFile(service.db, param(context, 'fileId'));
    if (file === undefined || file.recoEntry !== null) throw noFile();
    const documentId = context.params.id ?? file.document;
    const document = seeDocument(service.db, context.caller, documentId);
    if (document.id !== file.document) throw noFile();
    return send(service, file);
  };
}

/** GET idp/{id}/recoData/{recoDataId}/file/{fileId} (REST spec, IDP helper calls). */
export function getRecoFile(service: Service): Handler {
  return (context: RequestContext) => {
    const document = seeDocument(service.db, context.caller, param(context, 'id'));
    const file = findFile(service.db, param(context, 'fileId'));
    const entry = param(context, 'recoDataId').toLowerCase();
    if (file?.document !== document.id || file.recoEntry !== entry) throw noFile();
    return send(service, file);
  };
}

/** GET docResponse/{id} (REST spec, Document responses). Version 1 returns the same. */
export function getResponse({ db }: Service): Handler {
  return (context) => {
    requireRole(context.caller, 'elAdminDocsR');
    const response = findResponse(db, param(context, 'id'));
    if (response === undefined) throw notFound('There is no such docResponse.');
    return json(responseToWire(response));
  };
}

async function send(service: Service, file: FileRow): Promise<SandboxResponse> {
  return download(file.name, await contentOf(service, file));
}

const noFile = () => notFound('There is no such file.');
