import type { Dms } from '../../src/rest/dms.ts';
import { resources, type NodeType } from '../../src/model/resource.ts';

const A = '5f0000000000000000000001';

/** One object of a type with a global ID, as the DMS sends it. */
interface TestResource {
  /** Its key. */
  readonly id: string;
  readonly path: string;
  /** The query of its path if `field` is read. */
  readonly query?: string;
  /** `field` is `found`. */
  readonly wire: Readonly<Record<string, unknown>>;
  readonly field: string;
  /** The path of its paged list, of which each page is one call. */
  readonly list?: string;
  /** A write of an object that is cached, and the resources that are read again after it. */
  readonly write?: readonly [send: (dms: Dms) => Promise<unknown>, affected: readonly string[]];
}

/** The types with a global ID, on which the tests of all of them run. */
const testResources: Readonly<Record<NodeType, TestResource>> = {
  Document: {
    id: A,
    path: `/api/v2/docForm/${A}`,
    query: '?fields=_id,_id_web',
    wire: { _id: A, _id_web: 'found' },
    field: 'shortId',
    list: '/api/v2/docForm/view/all',
  },
  DocumentResponse: {
    id: A,
    path: `/api/v2/docResponse/${A}`,
    wire: { _id: A, content: 'found' },
    field: 'content',
  },
  Organization: {
    id: A,
    path: `/api/v2/crm/org/${A}`,
    wire: { _id: A, name: 'found' },
    field: 'name',
    list: '/api/v2/crm/org',
    write: [({ organizations }) => organizations.upsert({ name: 'Acme' }), ['organizations']],
  },
  ListValue: {
    id: A,
    path: `/api/v2/listValue/${A}`,
    wire: { _id: A, _id_ext: 'found' },
    field: 'externalId',
    write: [({ listValues }) => listValues.upsert({ status: 1 }), ['listValues']],
  },
  Form: {
    id: A,
    path: `/api/v2/sysForm/${A}`,
    wire: { _id: A, _id_web: 'found' },
    field: 'shortId',
  },
  Person: {
    id: 'usr-ann',
    path: '/api/v2/person/usr-ann',
    wire: { _id_sys: 'usr-ann', email: 'found' },
    field: 'email',
    write: [
      ({ persons }) => persons.update('usr-ann', { unitName: 'Sales' }),
      ['persons', 'orgUnits'],
    ],
  },
  OrgUnit: {
    id: 'unit00ff',
    path: '/api/v2/orgUnit/unit00ff',
    wire: { _id_sys: 'unit00ff', name: 'found' },
    field: 'name',
    write: [({ orgUnits }) => orgUnits.upsert({ name: 'Sales' }), ['persons', 'orgUnits']],
  },
};

/** The same with their rows in the table of resources. */
export const everyResource = Object.entries(testResources).map(([name, one]) => {
  const type = name as NodeType;
  return { query: '', ...resources[type], ...one, type };
});
