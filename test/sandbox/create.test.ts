import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from './helpers.ts';
import { create, creation, freshSandbox, sharedSandbox } from './helpers.ts';

const shared = sharedSandbox();

async function post(dms: Client, at: string, parts: Parameters<typeof creation>[0], as?: string) {
  return dms.call(`/api/v2/docForm/form/${at}`, {
    method: 'POST',
    body: creation(parts),
    ...(as === undefined ? {} : { as }),
  });
}

async function filesOf(dms: Client, id: unknown): Promise<{ id: string; fileName: string }[]> {
  const at = `/api/v2/docForm/${String(id)}?fields=filesList`;
  return (await dms.call<{ filesList: { id: string; fileName: string }[] }>(at)).body.filesList;
}

const total = async (dms: Client) =>
  Number((await dms.fetch('/api/v2/docForm/view/all')).headers.get('svc-total-count'));

/** Sends a body of any kind to the shared sandbox. */
const send = (type: string, body: string) =>
  shared.call('/api/v2/docForm/form/memo', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });

describe('creation', () => {
  it('returns the new document', async () => {
    const dms = await freshSandbox();
    const docForm = { valuesByTags: { subject: 'Lunch' }, _tags: ['new', 'new'] };
    const { status, body, headers } = await post(dms, 'memo', { docForm });
    expect(status).toBe(201);
    expect(headers.get('x-error')).toBeNull();
    expect(body).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      _id_web: 'DOC-0201',
      author: 'api-gateway',
      state: 0,
      step: 0,
      iteration: 0,
      status: 1,
      datedue: '',
      topic: 'Lunch',
      _tags: ['new'],
      _meta: { _rev: 1 },
    });
    const read = await dms.call(`/api/v2/docForm/${String(body._id)}?embed=valuesByTags`);
    expect(read.body.valuesByTags).toEqual({ subject: 'Lunch' });
  });

  it('records the run-as user or author field', async () => {
    const dms = await freshSandbox();
    const docForm = { author: 'ann@example.com' };
    expect((await post(dms, 'memo', {}, 'usr-eva')).body.author).toBe('usr-eva');
    expect((await post(dms, 'memo', { docForm })).body.author).toBe('usr-ann');
    expect((await post(dms, 'memo', { docForm }, 'usr-eva')).body.author).toBe('usr-eva');
    const nobody = await post(dms, 'memo', { docForm: { author: 'usr-ivan' } });
    expect([nobody.status, nobody.headers.get('x-error')]).toEqual([
      400,
      'docForm.author must be the system id or e-mail address of an active user.',
    ]);
    const { headers } = await dms.call('/api/v2/docForm/view/mydocs');
    expect(headers.get('svc-total-count')).toBe('93');
  });

  it('reports a failed action in X-Error', async () => {
    const { status, headers, body } = await post(shared, 'invoice', {
      docResponse: { taskstatus: 100 },
      files: [['a.txt', 'kept']],
    });
    expect([status, headers.get('x-error'), body.state]).toEqual([
      201,
      'Required fields are empty: number, supplier.',
      0,
    ]);
    expect(await filesOf(shared, body._id)).toHaveLength(1);
  });

  it('rejects duplicates only on request', async () => {
    const dms = await freshSandbox();
    const files = [['a.txt', 'the same bytes']] as const;
    expect((await post(dms, 'memo?allowDupl=false', { files })).status).toBe(201);
    const { status, headers } = await post(dms, 'memo?allowDupl=false', {
      files: [['other name.txt', 'the same bytes']],
    });
    expect([status, headers.get('x-error')]).toEqual([
      422,
      'An attachment has the same content as one of document DOC-0201.',
    ]);
    expect((await post(dms, 'memo?allowDupl=true', { files })).status).toBe(201);
    expect((await post(dms, 'memo', { files })).status).toBe(201);
    const twice = [
      ['b.txt', 'twice'],
      ['c.txt', 'twice'],
    ] as const;
    expect((await post(dms, 'memo?allowDupl=false', { files: twice })).status).toBe(422);
  });

  it('stores OCR languages and indexes text files', async () => {
    const { body } = await post(shared, 'memo?idpLngs=eng%2Bukr%2Bchi_sim&idpFrpr=true', {
      files: [['pages.txt', 'first\fsecond — друга']],
    });
    expect(body.idp).toEqual({ lngs: ['eng', 'ukr', 'chi_sim'], frpr: true });
    const page = await shared.fetch(`/api/v2/idp/${String(body._id)}/text?page=1`);
    expect(await page.text()).toBe('second — друга');
  });

  it('finds references by full IDs in any case', async () => {
    const target = await create(shared, 'memo');
    const refdocs = target.toUpperCase();
    const source = await create(shared, 'memo', { docForm: { valuesByTags: { refdocs } } });
    const { body } = await shared.call(`/api/v2/docForm/${target}?embed=refByDocs`);
    expect(body.refByDocs).toEqual([source]);
  });

  it('finds forms by their short id while they are active', async () => {
    expect((await post(shared, 'fax', {})).status).toBe(404);
    expect((await post(shared, 'nosuch', {})).status).toBe(404);
  });
});

describe('a broken creation', () => {
  const malformed: [string, number, (form: FormData) => void][] = [
    ['broken JSON', 400, (form) => form.append('docForm', '{')],
    ['a part that is not an object', 400, (form) => form.append('docForm', '[]')],
    ['an unknown part', 400, (form) => form.append('other', 'x')],

    ['a file without a name', 400, (form) => form.append('files', 'x')],
    ['an action of a later phase', 400, (form) => form.append('docResponse', '{"taskstatus":2}')],
    ['an oversized part', 413, (form) => form.append('docForm', 'x'.repeat(5 * 1024 * 1024))],
  ];
  it.each(malformed)('with %s leaves no data', async (_name, expected, spoil) => {
    const stored = async () => [
      await total(shared),
      ...['files', 'incoming'].map((name) => readdirSync(join(shared.dataDir, name)).length),
    ];
    const before = await stored();
    const form = creation({ files: [['a.txt', 'content']] });
    spoil(form);
    const { status, body } = await shared.call('/api/v2/docForm/form/memo', {
      method: 'POST',
      body: form,
    });
    expect([status, Object.keys(body)]).toEqual([expected, ['error']]);
    expect(await stored()).toEqual(before);
  });

  it('with an invalid body or type is rejected', async () => {
    expect((await send('application/json', '{}')).status).toBe(415);
    expect((await send('multipart/form-data', 'x')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=b', '--b\r\ncut')).status).toBe(400);
  });
});
