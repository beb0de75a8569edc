import { get, post } from './http/router.ts';
import { getForm, getForms } from './reference/forms.ts';
import { getListValue, getListValues, shapeV1, shapeV2 } from './reference/list-values.ts';
import { getOrgUnit } from './reference/org-units.ts';
import { getOrganization, getOrganizations, getOrganizationV1 } from './reference/organizations.ts';
import { getPeople, getPerson } from './reference/persons.ts';
import type { Resource } from './reference/resource.ts';
import { postPerson } from './reference/update-person.ts';
import { postListValue } from './reference/upsert-list-value.ts';
import { postOrgUnit } from './reference/upsert-org-unit.ts';
import {
  postOrganization,
  postOrganizationV1,
  removeOrganization,
} from './reference/upsert-organization.ts';
import { seedDirectories } from './seed/directories.ts';
import { seedForms } from './seed/forms.ts';
import { seedOrganizations } from './seed/organizations.ts';
import { seedOrgUnits, seedPeople } from './seed/people.ts';
import { formTable } from './store/forms.ts';
import { listValueTable } from './store/list-values.ts';
import { orgUnitTable } from './store/org-units.ts';
import { organizationTable } from './store/organizations.ts';
import { personTable } from './store/persons.ts';

/** The resources other than documents. Tables, endpoints and seed follow from this list. */
export const resources: readonly Resource[] = [
  {
    tables: personTable,
    seed: seedPeople,
    routes: (service) => [
      get('/api/v2/person/{id}', getPerson(service)),
      post('/api/v2/person', postPerson(service)),
      get('/api/v1/person/{id}', getPerson(service)),
      post('/api/v1/person', postPerson(service)),
      get('/sandbox/people', getPeople(service)),
    ],
  },
  {
    tables: orgUnitTable,
    seed: seedOrgUnits,
    routes: (service) => [
      get('/api/v2/orgUnit/{id}', getOrgUnit(service)),
      post('/api/v2/orgUnit', postOrgUnit(service)),
    ],
  },
  {
    tables: listValueTable,
    seed: seedDirectories,
    routes(service) {
      const shape = service.variants.listValues === 'v1' ? shapeV1 : shapeV2;
      return [
        get('/api/v2/listValue', getListValues(service, shape)),
        get('/api/v2/listValue/{id}', getListValue(service, shape)),
        post('/api/v2/listValue', postListValue(service, shape)),
        get('/api/v1/listValue', getListValues(service, shapeV1)),
        get('/api/v1/listValue/{id}', getListValue(service, shapeV1)),
        post('/api/v1/listValue', postListValue(service, shapeV1)),
      ];
    },
  },
  {
    tables: organizationTable,
    seed: seedOrganizations,
    routes: (service) => [
      get('/api/v2/crm/org', getOrganizations(service)),
      get('/api/v2/crm/org/{id}', getOrganization(service)),
      post('/api/v2/crm/org', postOrganization(service)),
      { method: 'DELETE', path: '/api/v2/crm/org/{id}', handle: removeOrganization(service) },
      get('/api/v1/crm/org/{id}', getOrganizationV1(service)),
      post('/api/v1/crm/org', postOrganizationV1(service)),
    ],
  },
  {
    tables: formTable,
    seed: seedForms,
    routes: (service) => [
      get(`/api/v2/${service.variants.formsPath}`, getForms(service)),
      get(`/api/v2/${service.variants.formsPath}/{id}`, getForm(service)),
    ],
  },
];
