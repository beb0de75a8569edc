import { describe, expect, it } from 'vitest';
import type { DocumentRequirement } from '../../../src/model/document-requirements.ts';
import { documentProjection } from '../../../src/rest/wire/document.ts';
import { responseFromWire } from '../../../src/rest/wire/document-response.ts';
import { formFromWire } from '../../../src/rest/wire/form.ts';
import { listValueFromWire } from '../../../src/rest/wire/list-value.ts';
import { orgUnitFromWire } from '../../../src/rest/wire/org-unit.ts';
import { organizationFromWire } from '../../../src/rest/wire/organization.ts';
import { personFromWire } from '../../../src/rest/wire/person.ts';

const request = 'GET /test';

const requirements: ReadonlySet<DocumentRequirement> = new Set<DocumentRequirement>([
  'shortId',
  'meta',
  'author',
  'state',
  'dateCreated',
  'tags',
  'values',
  'files',
  'refByDocs',
  'response',
  'response.state',
  'recoData',
  'recoData.result',
]);

/** Invalid values for every property except the ID. */
const wrong: readonly unknown[] = [
  undefined,
  null,
  '',
  'x{',
  [],
  {},
  [null],
  [[]],
  [{}],
  true,
  -1e99,
];

/** Every resource: its parser, its ID, its properties, and its value if the service sends nothing else. */
const resources: readonly [
  string,
  (answer: unknown) => unknown,
  string,
  readonly string[],
  Record<string, unknown>,
][] = [
  [
    'a document',
    (answer) => documentProjection(requirements, true).read(answer, request),
    '_id',
    [
      '_id_web',
      '_meta',
      'author',
      'state',
      'datecreated',
      '_tags',
      'valuesByTags',
      'filesList',
      'refByDocs',
      'docResponse',
      'recoData',
    ],
    { fullId: 'x' },
  ],
  [
    'a response',
    (answer) => responseFromWire(answer, request),
    '_id',
    ['_ref', 'state', 'itearation', 'taskstatus', 'resolto', 'content', '_meta'],
    { fullId: 'x' },
  ],
  [
    'an organization',
    (answer) => organizationFromWire(answer, request),
    '_id',
    ['_id_web', 'govId', 'name', 'nameExt', 'owner', 'areaId', '_meta'],
    { fullId: 'x' },
  ],
  [
    'a list value',
    (answer) => listValueFromWire(answer, request),
    '_id',
    ['_id_kf', 'kfunid', 'value', 'valuedata', 'valuedata_de', 'type', 'status', '_meta'],
    { fullId: 'x' },
  ],
  [
    'a form',
    (answer) => formFromWire(answer, request),
    '_id',
    ['_id_web', 'doctitle', 'doctitle_de', 'doccf', 'docsf', 'docsf.docNum', 'doccf.customFields'],
    { fullId: 'x' },
  ],
  [
    'a person',
    (answer) => personFromWire(answer, request),
    '_id_sys',
    ['email', 'name_first', 'unit', 'deputy', '_meta'],
    { systemId: 'x' },
  ],
  [
    'a unit',
    (answer) => orgUnitFromWire(answer, request),
    '_id_sys',
    ['name', 'elhead', 'elmembers'],
    { systemId: 'x' },
  ],
];

describe.each(resources)('%s', (_noun, read, idKey, properties, identity) => {
  it('is read despite invalid properties', () => {
    for (const value of wrong) {
      const wire = Object.fromEntries(properties.map((name) => [name, value]));
      expect(read({ ...wire, [idKey]: 'x' })).toMatchObject(identity);
    }
  });

  it.each([[undefined], [null], [''], [[]], [{}], [5], [true]])(
    'is rejected if its ID is %j',
    (value) => {
      expect(() => read({ [idKey]: value })).toThrow('UPSTREAM_ERROR');
    },
  );

  it.each([[null], [[]], ['text'], [5]])('is rejected if it is %j', (answer) => {
    expect(() => read(answer)).toThrow('UPSTREAM_ERROR: GET /test; expected an object');
  });
});

it('reads nested and dotted forms', () => {
  const docNum = { enabled: true, required: 'false', autoReg: true, autoRegState: 2 };
  const customFields = [{ type: 'crmOrg', required: true, name: { en: 'Client' } }, {}];
  const expected = {
    titles: [
      { language: '', text: 'Invoice' },
      { language: 'de', text: 'Rechnung' },
    ],
    documentNumber: {
      enabled: true,
      required: false,
      autoRegistration: true,
      autoRegistrationState: 2,
    },
    customFields: [
      {
        type: 'crmOrg',
        required: true,
        prefix: null,
        fieldName: null,
        names: [{ language: 'en', text: 'Client' }],
      },
    ],
    dateDue: { enabled: true, editable: null },
    topic: null,
  };
  const titles = { _id: 'f1', doctitle: 'Invoice', doctitle_de: 'Rechnung' };
  const nested = { docsf: { docNum, dateDue: { enabled: 1 } }, doccf: { customFields } };
  const dotted = {
    'docsf.docNum': docNum,
    'docsf.dateDue': { enabled: 1 },
    'doccf.customFields': customFields,
  };
  expect(formFromWire({ ...titles, ...nested }, request)).toMatchObject(expected);
  expect(formFromWire({ ...titles, ...dotted }, request)).toMatchObject(expected);
});

it('reads all properties of persons and units', () => {
  const person = {
    _id_sys: 'usr-a',
    email: 'a@b',
    name_first: 'Ann',
    name_mid: '',
    name_last: 'Lee',
    phone_office: '1',
    phone_mobile: 2,
    unit: 'Sales',
    deputy: { id: 'usr-b', enabled: 'true' },
    pwd: 'secret',
  };
  expect(personFromWire(person, request)).toEqual({
    systemId: 'usr-a',
    email: 'a@b',
    firstName: 'Ann',
    middleName: null,
    lastName: 'Lee',
    officePhone: '1',
    mobilePhone: '2',
    unitName: 'Sales',
    deputy: { personId: 'usr-b', enabled: true },
    meta: null,
  });
  const unit = {
    _id_sys: 'unit1',
    name: 'Sales',
    elhead: 'usr-a',
    elmembers: ['usr-b', null, '', 7],
  };
  expect(orgUnitFromWire(unit, request)).toEqual({
    systemId: 'unit1',
    name: 'Sales',
    headId: 'usr-a',
    memberIds: ['usr-b'],
  });
});

it('reads all properties of an organization', () => {
  const wire = {
    _id: 'o1',
    _id_web: 'O-1',
    _id_ext: 'E',
    govId: 77,
    owner: 'usr-a',
    author: 'api-1',
    notes: '',
    name: 'Acme',
    nameExt: ['ACME', { de: 'Acme AG' }, '', null],
    areaId: 'ar',
    typeId: '',
  };
  expect(organizationFromWire(wire, request)).toEqual({
    fullId: 'o1',
    shortId: 'O-1',
    externalId: 'E',
    governmentId: '77',
    owner: 'usr-a',
    author: 'api-1',
    notes: null,
    name: 'Acme',
    nameExt: ['ACME', { de: 'Acme AG' }],
    areaId: 'ar',
    typeId: null,
    meta: null,
  });
});

it('rejects numbers as IDs', () => {
  const wire = {
    _id: 'd1',
    _id_web: 7,
    author: 8,
    refByDocs: [9, 'd2', { _id: 10 }, { _id: 'd3' }],
  };
  expect(documentProjection(requirements, true).read(wire, request)).toMatchObject({
    shortId: null,
    author: null,
    refByDocs: ['d2', 'd3'],
  });
  expect(() =>
    documentProjection(requirements, true).read({ _id: 'd1', filesList: [{ id: 7 }] }, request),
  ).toThrow('UPSTREAM_ERROR');
  expect(listValueFromWire({ _id: 'v1', _id_kf: 7, kfunid: 'k' }, request).parentId).toBe('k');
  expect(orgUnitFromWire({ _id_sys: 'u', elhead: 7 }, request).headId).toBeNull();
  expect(personFromWire({ _id_sys: 'usr-a', deputy: { id: 7 } }, request).deputy).toBeNull();
  expect(organizationFromWire({ _id: 'o', areaId: 7, typeId: 8, owner: 9 }, request)).toMatchObject(
    {
      areaId: null,
      typeId: null,
      owner: null,
    },
  );
});
