import { postResponse, putResponse } from './documents/workflow-actions.ts';
import { postDocument } from './documents/create.ts';
import { getAttachment, getDocument, getRecoFile, getResponse, getView } from './documents/read.ts';
import { getPdf, getText } from './documents/recognized.ts';
import { get, post, type Route } from './http/router.ts';
import { resources } from './resources.ts';
import type { Service } from './service.ts';

/**
 * Every endpoint of the specification, and the list of people. Literal segments precede parameters that would match
 * them.
 */
export function routesOf(service: Service): Route[] {
  const { variants } = service;
  const attachmentPath =
    variants.attachmentPath === 'bare'
      ? '/api/v2/docForm/file/{fileId}'
      : '/api/v2/docForm/{id}/file/{fileId}';

  return [
    get('/api/v2/docForm/view/{viewId}', getView(service)),
    get(attachmentPath, getAttachment(service)),
    get('/api/v2/docForm/{id}', getDocument(service)),
    post('/api/v2/docForm/form/{formName}', postDocument(service)),
    post('/api/v2/docForm/{id}/docResponse', postResponse(service)),
    {
      method: 'PUT',
      path: '/api/v2/docForm/{id}/docResponse/{respId}',
      handle: putResponse(service),
    },

    get('/api/v2/docResponse/{id}', getResponse(service)),
    get('/api/v1/docResponse/{id}', getResponse(service)),

    ...resources.flatMap(({ routes }) => routes(service)),

    get('/api/v2/idp/{id}/pdf', getPdf(service)),
    get('/api/v2/idp/{id}/text', getText(service)),
    get('/api/v2/idp/{id}/recoData/{recoDataId}/file/{fileId}', getRecoFile(service)),
  ];
}
