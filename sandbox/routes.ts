import { postResponse, putResponse } from './documents/workflow-actions.ts';
import { postDocument } from './documents/create.ts';
import { getAttachment, getDocument, getRecoFile, getResponse, getView } from './documents/read.ts';
import { getPdf, getText } from './documents/recognized.ts';
import type { Handler } from './http/handler.ts';
import type { Route } from './http/router.ts';
import { getForm, getForms } from './reference/forms.ts';
import { getListValue, getListValues, shapeV1, shapeV2 } from './reference/list-values.ts';
import { getOrgUnit } from './reference/org-units.ts';
import { getOrganization, getOrganizations, getOrganizationV1 } from './reference/organizations.ts';
import { getPeople, getPerson } from './reference/persons.ts';
import { postListValue } from './reference/upsert-list-value.ts';
import { postOrgUnit } from './reference/upsert-org-unit.ts';
import {
  postOrganization,
  postOrganizationV1,
  removeOrganization,
} from './reference/upsert-organization.ts';
import { postPerson } from './reference/update-person.ts';
import type { Service } from './service.ts';

const get = (path: string, handle: Handler): Route => ({ method: 'GET', path, handle });
const post = (path: string, handle: Handler): Route => ({ method: 'POST', path, handle });

/**
 * Every endpoint of the specification, and the list of people. Literal segments precede parameters that would match
 * them.
 */
export function routesOf(service: Service): Route[] {
  const { variants } = service;
  const listShape = variants.listValues === 'v1' ? shapeV1 : shapeV2;
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

    get('/api/v2/crm/org', getOrganizations(service)),
    get('/api/v2/crm/org/{id}', getOrganization(service)),
    post('/api/v2/crm/org', postOrganization(service)),
    { method: 'DELETE', path: '/api/v2/crm/org/{id}', handle: removeOrganization(service) },
    get('/api/v1/crm/org/{id}', getOrganizationV1(service)),
    post('/api/v1/crm/org', postOrganizationV1(service)),

    get('/api/v2/listValue', getListValues(service, listShape)),
    get('/api/v2/listValue/{id}', getListValue(service, listShape)),
    post('/api/v2/listValue', postListValue(service, listShape)),
    get('/api/v1/listValue', getListValues(service, shapeV1)),
    get('/api/v1/listValue/{id}', getListValue(service, shapeV1)),
    post('/api/v1/listValue', postListValue(service, shapeV1)),

    get(`/api/v2/${variants.formsPath}`, getForms(service)),
    get(`/api/v2/${variants.formsPath}/{id}`, getForm(service)),

    get('/api/v2/person/{id}', getPerson(service)),
    post('/api/v2/person', postPerson(service)),
    get('/api/v1/person/{id}', getPerson(service)),
    post('/api/v1/person', postPerson(service)),

    get('/api/v2/orgUnit/{id}', getOrgUnit(service)),
    post('/api/v2/orgUnit', postOrgUnit(service)),

    get('/api/v2/idp/{id}/pdf', getPdf(service)),
    get('/api/v2/idp/{id}/text', getText(service)),
    get('/api/v2/idp/{id}/recoData/{recoDataId}/file/{fileId}', getRecoFile(service)),

    get('/sandbox/people', getPeople(service)),
  ];
}
