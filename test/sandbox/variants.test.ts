import { expect, it } from 'vitest';
import type { Wire } from './helpers.ts';
import { freshSandbox, seeded } from './helpers.ts';

it('uses the other spelling of forms', async () => {
  const dms = await freshSandbox({ variants: { formsPath: 'sysFrom' } });
  expect((await dms.call('/api/v2/sysForm')).status).toBe(404);
  expect((await dms.call<Wire[]>('/api/v2/sysFrom')).body).toHaveLength(7);
  expect((await dms.call(`/api/v2/sysFrom/${seeded.form(1)}`)).status).toBe(200);
});

it('sends the other total count header', async () => {
  const dms = await freshSandbox({ variants: { totalCountHeader: 'X-Total-Count' } });
  const { headers } = await dms.call('/api/v2/docForm/view/all');
  expect([headers.get('x-total-count'), headers.get('svc-total-count')]).toEqual(['200', null]);
});

it('returns list values in the version 1 shape', async () => {
  const dms = await freshSandbox({ variants: { listValues: 'v1' } });
  const ignored = await dms.call<Wire[]>(`/api/v2/listValue?_id_kf=${seeded.directory(1)}`);
  expect(ignored.body[0]).toMatchObject({ _id: seeded.directory(1), valuedata: 'Business areas' });
  const { body } = await dms.call<Wire[]>(`/api/v2/listValue?kfid=${seeded.directory(1)}`);
  expect(body[0]).toMatchObject({ kfunid: seeded.directory(1), valuedata_de: 'Produktion' });
  const { status, body: made } = await dms.call('/api/v2/listValue', {
    method: 'POST',
    body: { kfunid: seeded.directory(1), valuedata: 'Fishing' },
  });
  expect([status, made.valuedata]).toEqual([201, 'Fishing']);
});

it('uses the attachment path without document ID', async () => {
  const dms = await freshSandbox({ variants: { attachmentPath: 'bare' } });
  const file = seeded.file(2, 1);
  expect((await dms.call(`/api/v2/docForm/DOC-0002/file/${file}`)).status).toBe(404);
  expect((await dms.fetch(`/api/v2/docForm/file/${file}`)).status).toBe(200);
  const hidden = await dms.fetch(`/api/v2/docForm/file/${file}`, { as: 'usr-jonas' });
  expect(hidden.status).toBe(404);
});
