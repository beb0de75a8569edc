import { describe, expect, it } from 'vitest';
import type { Client, Wire } from './helpers.ts';
import { freshSandbox, seeded, sharedSandbox } from './helpers.ts';

/** For tests that change nothing. */
const shared = sharedSandbox();

const post = (dms: Client, at: string, body: unknown, as?: string) =>
  dms.call(`/api/${at}`, { method: 'POST', body, ...(as === undefined ? {} : { as }) });

describe('organizations', () => {
  it('are listed in pages with a total', async () => {
    const page = await shared.call<Wire[]>('/api/v2/crm/org?first=12&pageSize=5');
    expect(page.headers.get('x-total-count')).toBe('14');
    expect(page.body.map((one) => one._id_web)).toEqual(['ORG-0013', 'ORG-0014']);
    expect((await shared.call<Wire[]>('/api/v2/crm/org')).body).toHaveLength(10);
    for (const query of ['first=-1', 'first=2147483647', 'pageSize=0', 'pageSize=101']) {
      const { status, headers } = await shared.call(`/api/v2/crm/org?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(headers.get('x-error')).toContain(query.split('=')[0]);
    }
  });

  it('are found by full, external and government id', async () => {
    const get = async (id: string) =>
      (await shared.call(`/api/v2/crm/org/${encodeURIComponent(id)}`)).body;
    const byFullId = await get(seeded.organization(2));
    expect(byFullId).toMatchObject({
      _id: seeded.organization(2),
      _id_ext: 'erp-0002',
      _id_web: 'ORG-0002',
      govId: 'DE810000020',
      nameExt: [],
      notes: '',
    });
    expect(await get('erp-0002')).toEqual(byFullId);
    expect(await get('DE810000020')).toEqual(byFullId);
    const upperCase = seeded.organization(2).toUpperCase();
    expect(await get(upperCase)).toEqual(byFullId);
    expect((await shared.call(`/api/v1/crm/org/${upperCase}`)).body._id).toBe(byFullId._id);
    expect((await shared.call('/api/v2/crm/org/nosuch')).status).toBe(404);
  });

  it('are created, updated and deleted', async () => {
    const dms = await freshSandbox();
    const made = await post(dms, 'v2/crm/org', {
      name: 'New & Söhne',
      nameExt: ['Nouveau'],
      _id_ext: 'x-1',
      govId: 'g-1',
      owner: 'usr-eva',
      areaId: '65f000005eed001100000101',
    });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ _id_web: 'ORG-0015', author: 'api-gateway', nameExt: ['Nouveau'] }),
    ]);
    const byGovId = await post(dms, 'v2/crm/org', { govId: 'g-1', notes: 'changed' });
    expect([byGovId.status, byGovId.body._id]).toEqual([200, made.body._id]);
    expect(byGovId.body).toMatchObject({ name: 'New & Söhne', notes: 'changed', _id_ext: 'x-1' });
    expect(byGovId.body).toMatchObject({ _meta: { _rev: 2 } });
    const preferred = await post(dms, 'v2/crm/org', {
      _id: 'nosuch',
      _id_ext: 'x-1',
      areaId: '',
      name: 'Renamed',
    });
    expect(preferred.body._id).toBe(made.body._id);
    expect(preferred.body).not.toHaveProperty('areaId');
    const removed = await dms.call('/api/v2/crm/org/x-1', { method: 'DELETE' });
    expect([removed.status, removed.body]).toEqual([200, null]);
    expect((await dms.call('/api/v2/crm/org/g-1')).status).toBe(404);
    expect((await dms.call('/api/v2/crm/org/x-1', { method: 'DELETE' })).status).toBe(404);
  });
});

describe('list values', () => {
  it('are directories or their values', async () => {
    const directories = await shared.call<Wire[]>('/api/v2/listValue');
    expect(directories.body.map((one) => one._id_ext)).toEqual([
      'areas',
      'orgtypes',
      'costcentres',
      'leavetypes',
      'currencies',
    ]);
    const values = await shared.call<Wire[]>(`/api/v2/listValue?_id_kf=${seeded.directory(2)}`);
    expect(values.body[0]).toMatchObject({
      _id: '65f000005eed001100000201',
      _id_kf: seeded.directory(2),
      value: { en: 'Supplier', de: 'Lieferant', uk: 'Постачальник' },
    });
    const one = await shared.call('/api/v2/listValue/65f000005eed001100000201');
    expect(one.body).toEqual(values.body[0]);
    const none = await shared.call(`/api/v2/listValue?_id_kf=${'a'.repeat(24)}`);
    expect(none.body).toEqual([]);
    expect((await shared.call('/api/v2/listValue?_id_kf=areas')).status).toBe(400);
    expect((await shared.call(`/api/v2/listValue/${'a'.repeat(24)}`)).status).toBe(404);
  });

  it('are created and updated by language', async () => {
    const dms = await freshSandbox();
    const parent = { _id_kf: seeded.directory(4), _id_ext: 'study' };
    const made = await post(dms, 'v2/listValue', { ...parent, value: { en: 'Study leave' } });
    expect([made.status, made.body.type, made.body.status]).toEqual([201, 1, 1]);
    const changed = await post(dms, 'v2/listValue', {
      ...parent,
      status: 2,
      value: { de: 'Bildungsurlaub' },
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({
        _id: made.body._id,
        status: 2,
        value: { en: 'Study leave', de: 'Bildungsurlaub' },
      }),
    ]);
    const byId = await post(dms, 'v2/listValue', { _id: made.body._id, _id_ext: 'studies' });
    expect(byId.status).toBe(200);
    expect(byId.body).toMatchObject({ _id_ext: 'studies', _meta: { _rev: 3 } });
    const directory = await post(dms, 'v2/listValue', { value: { en: 'Colours' } });
    expect([directory.status, directory.body.type]).toEqual([201, 0]);
    expect((await dms.call<Wire[]>('/api/v2/listValue')).body).toHaveLength(6);
  });
});

it('forms are listed if active and found by full ID', async () => {
  const { body } = await shared.call<Wire[]>('/api/v2/sysForm');
  expect(body.map((form) => form._id_web)).toEqual([
    'invoice',
    'contract',
    'purchase',
    'leave',
    'letter',
    'memo',
    'policy',
  ]);
  const invoice = await shared.call(`/api/v2/sysForm/${seeded.form(1)}`);
  expect(invoice.body).toEqual(body[0]);
  expect(invoice.body).toMatchObject({
    doctitle: 'Supplier invoice',
    doctitle_de: 'Eingangsrechnung',
    doccf: {
      customFields: expect.arrayContaining([expect.objectContaining({ type: 'crmOrg' })]),
    },
    docsf: { docNum: { enabled: true, required: false, autoReg: true, autoRegState: 0 } },
  });
  expect((await shared.call(`/api/v2/sysForm/${seeded.form(8)}`)).body.status).toBe(0);
  expect((await shared.call(`/api/v2/sysForm/${seeded.form(9)}`)).status).toBe(404);
  expect((await shared.call('/api/v2/sysFrom')).status).toBe(404);
});

describe('persons', () => {
  it('change as requested and never return a password', async () => {
    const dms = await freshSandbox();
    const before = (await dms.call('/api/v2/person/usr-bob')).body;
    const changes = {
      name_mid: 'Kwame',
      deputy: { id: 'usr-chen', enabled: 'true' },
      pwd: 'correct horse',
    };
    const { status, body } = await post(dms, 'v2/person', { _id_sys: 'usr-bob', ...changes });
    expect(status).toBe(200);
    const { pwd, ...shown } = changes;
    expect(body).toEqual({ ...before, ...shown, _meta: expect.objectContaining({ _rev: 2 }) });
    expect(JSON.stringify(body)).not.toContain(pwd);
    expect((await dms.call('/api/v2/person/usr-bob')).body).toEqual(body);
    const farid = await post(
      dms,
      'v1/person',
      { _id_sys: 'usr-ann', phone_mobile: '' },
      'usr-farid',
    );
    expect([farid.status, farid.body.phone_mobile]).toEqual([200, '']);
  });
});

describe('organizational units', () => {
  it('are read by system and external id', async () => {
    const { body } = await shared.call('/api/v2/orgUnit/unit0002');
    expect(body).toMatchObject({
      _id_sys: 'unit0002',
      name: 'Finance',
      elhead: 'usr-bob',
      elmembers: ['usr-ann', 'usr-bob', 'usr-chen'],
    });
    expect((await shared.call('/api/v2/orgUnit/EXT-FIN')).body).toEqual(body);
    expect((await shared.call('/api/v2/orgUnit/unitffff')).status).toBe(404);
  });

  it('are created and updated', async () => {
    const dms = await freshSandbox();
    const made = await post(dms, 'v2/orgUnit', { name: 'Garage', elmembers: ['usr-ann'] });
    expect([made.status, made.body._id_sys]).toEqual([
      201,
      expect.stringMatching(/^unit[0-9a-f]{4}$/),
    ]);
    const named = await post(dms, 'v2/orgUnit', { _id_sys: 'HR-EXT', name: 'Outside' });
    expect([named.status, named.body._id_sys]).toEqual([201, 'HR-EXT']);
    const changed = await post(dms, 'v2/orgUnit', { _id_sys: 'EXT-FIN', elhead: 'usr-ann' });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ _id_sys: 'unit0002', name: 'Finance', elhead: 'usr-ann' }),
    ]);
    const nobody = await post(dms, 'v2/orgUnit', { name: 'x', elmembers: ['usr-nobody'] });
    expect([nobody.status, nobody.headers.get('x-error')]).toEqual([
      400,
      'elmembers must be the system id of a person.',
    ]);
  });
});
