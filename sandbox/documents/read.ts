import type { Answer } from '../http/response.ts';
import { download, json } from '../http/response.ts';
import type { Exchange, Handler } from '../http/handler.ts';
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

/** GET docForm/{id} (spec, Documents 1). */
export function getDocument({ db }: Service): Handler {
  return (exchange) =>
    db.transaction(() => {
      const document = seeDocument(db, exchange.caller, param(exchange, 'id'));
      return json(renderDocument(db, exchange.caller, document, wantedFrom(exchange.query)));
    });
}

/** GET docForm/view/{viewId} (spec, Documents 3). */
export function getView({ db, quirks }: Service): Handler {
  return (exchange) =>
    db.transaction(() => {
      const { caller, query } = exchange;
      const wanted = wantedFrom(query);
      const { page, total } = listView(db, caller, param(exchange, 'viewId'), query);
      const always = ['_id', '_id_web', ...(wanted.fields === null ? ['filesList'] : [])];
      const body = page.map((document) => renderDocument(db, caller, document, wanted, always));
      return json(body, 200, { [quirks.totalCountHeader]: String(total) });
    });
}

/** GET docForm/{id}/file/{fileId}; without an id in the route, the earlier revision's path (spec, Documents 2). */
export function getAttachment(service: Service): Handler {
  return (exchange) => {
    const file = findFile(service.db, param(exchange, 'fileId'));
    if (file === undefined || file.recoEntry !== null) throw noFile();
    const documentId = exchange.params.id ?? file.document;
    const document = seeDocument(service.db, exchange.caller, documentId);
    if (document.id !== file.document) throw noFile();
    return send(service, file);
  };
}

/** GET idp/{id}/recoData/{recoDataId}/file/{fileId} (spec, IDP helper calls). */
export function getRecoFile(service: Service): Handler {
  return (exchange: Exchange) => {
    const document = seeDocument(service.db, exchange.caller, param(exchange, 'id'));
    const file = findFile(service.db, param(exchange, 'fileId'));
    const entry = param(exchange, 'recoDataId').toLowerCase();
    if (file?.document !== document.id || file.recoEntry !== entry) throw noFile();
    return send(service, file);
  };
}

/** GET docResponse/{id} (spec, Document responses); version 1 answers the same. */
export function getResponse({ db }: Service): Handler {
  return (exchange) => {
    requireRole(exchange.caller, 'elAdminDocsR');
    const response = findResponse(db, param(exchange, 'id'));
    if (response === undefined) throw notFound('There is no such docResponse.');
    return json(responseToWire(response));
  };
}

async function send(service: Service, file: FileRow): Promise<Answer> {
  return download(file.name, await contentOf(service, file));
}

const noFile = () => notFound('There is no such file.');
