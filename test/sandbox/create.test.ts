import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Client } from './helpers.ts';
import { create, creation, freshSandbox, sharedSandbox } from './helpers.ts';

/** For tests that neither count nor create documents. */
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

/** A creation whose body the test writes in chunks. */
function openRequest(dms: Client) {
  const upload = request(`${dms.url}/api/v2/docForm/form/memo`, {
    method: 'POST',
    headers: {
      authorization: dms.authorization,
      'content-type': 'multipart/form-data; boundary=cut',
      'transfer-encoding': 'chunked',
    },
  });
  return upload;
}

const head = (name: string) =>
  `--cut\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`;

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

  it('names a document by its subject, or by its form with the first value that tells it apart', async () => {
    const dms = await freshSandbox();
    const topicOf = async (form: string, valuesByTags: object) =>
      (await post(dms, form, { docForm: { valuesByTags } })).body.topic;
    expect(await topicOf('purchase', { subject: 'Paper' })).toBe('Paper');
    expect(await topicOf('invoice', { total: '1', number: 'RE-1' })).toBe('Supplier invoice RE-1');
    expect(await topicOf('contract', { partner: 'DE810000020' })).toBe('Contract Acme Tools Ltd');
    expect(await topicOf('contract', { partner: 'nobody', validfrom: '2026-03-01' })).toBe(
      'Contract 2026-03-01',
    );
    expect(await topicOf('memo', {})).toBe('Memo');
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

  it('keeps files of every size and name', async () => {
    const dms = await freshSandbox();
    const files = [
      ['leer.txt', ''],
      ['договір №5.txt', 'один'],
      ['請求書 2026.pdf', 'x'.repeat(300_000)],
      ['a "quoted"\r\nname;.txt', 'quoted'],
      ['🧾.bin', '\u0000\u0001'],
      ["it's (100%) *ok*.txt", 'signs'],
    ] as const;
    const { body } = await post(dms, 'memo', { files });
    const stored = await filesOf(dms, body._id);
    expect(stored.map((file) => file.fileName)).toEqual(files.map(([name]) => name));
    for (const [index, { id, fileName }] of stored.entries()) {
      const response = await dms.fetch(`/api/v2/docForm/${String(body._id)}/file/${id}`);
      expect(await response.text()).toBe(files[index]?.[1]);
      const disposition = response.headers.get('content-disposition') ?? '';
      expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(fileName);
    }
  });

  it('streams a large chunked body to disk', async () => {
    const dms = await freshSandbox();
    const upload = openRequest(dms);
    const answered = new Promise<number>((resolve, reject) => {
      upload.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      upload.on('error', reject);
    });
    upload.write(head('large.bin'));
    const block = Buffer.alloc(1024 * 1024, 7);
    for (let sent = 0; sent < 48; sent += 1) {
      if (!upload.write(block)) await new Promise((resolve) => upload.once('drain', resolve));
    }
    upload.end('\r\n--cut--\r\n');
    expect(await answered).toBe(201);
    const [file] = await filesOf(dms, 'DOC-0201');
    const { headers } = await dms.fetch(`/api/v2/docForm/DOC-0201/file/${file?.id}`, {
      method: 'HEAD',
    });
    expect(headers.get('content-length')).toBe(String(48 * 1024 * 1024));
  });

  it.each([
    [100, 10],
    [104, 10],
    [106, 30],
    [107, 40],
    [108, 50],
  ])('applies action %i on creation', async (taskstatus, state) => {
    const docForm = { valuesByTags: { number: '1', supplier: 'x' } };
    const { status, headers, body } = await post(shared, 'invoice', {
      docForm,
      docResponse: { taskstatus },
    });
    expect([status, headers.get('x-error'), body.state]).toEqual([201, null, state]);
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

  it('indexes the first 1,000 pages', async () => {
    const files = [
      ['pages.txt', '\f'.repeat(1024 * 1024)],
      ['more.txt', 'more'],
    ] as const;
    const { status, body } = await post(shared, 'memo', { files });
    expect(status).toBe(201);
    const text = await shared.fetch(`/api/v2/idp/${String(body._id)}/text?page=999`);
    expect([text.status, text.headers.get('x-total-count')]).toEqual([200, '1000']);
  });

  it.each([
    ['memo?allowDupl=yes', 'allowDupl must be true or false.'],
    ['memo?idpFrpr=1', 'idpFrpr must be true or false.'],
    ['memo?idpLngs=', 'idpLngs must be language codes joined with +, encoded as %2B.'],
    ['memo?idpLngs=eng+deu', 'idpLngs must be language codes joined with +, encoded as %2B.'],
  ])('rejects %s', async (at, message) => {
    const { status, headers } = await post(shared, at, {});
    expect([status, headers.get('x-error')]).toEqual([400, message]);
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
    ['a file part of another name', 400, (form) => form.append('other', new Blob(['x']), 'a')],
    ['a file without a name', 400, (form) => form.append('files', 'x')],
    ['an action of a later phase', 400, (form) => form.append('docResponse', '{"taskstatus":2}')],
    ['an oversized part', 413, (form) => form.append('docForm', 'x'.repeat(5 * 1024 * 1024))],
  ];
  it.each(malformed)('with %s leaves no data', async (_name, expected, spoil) => {
    const dms = await freshSandbox();
    const before = readdirSync(join(dms.dataDir, 'files')).length;
    const form = creation({ files: [['a.txt', 'content']] });
    spoil(form);
    const { status, body } = await dms.call('/api/v2/docForm/form/memo', {
      method: 'POST',
      body: form,
    });
    expect([status, Object.keys(body)]).toEqual([expected, ['error']]);
    expect(await total(dms)).toBe(200);
    expect(readdirSync(join(dms.dataDir, 'files'))).toHaveLength(before);
    expect(readdirSync(join(dms.dataDir, 'incoming'))).toEqual([]);
  });

  it.each(['other', 'files'])('with the text part %s names it', async (part) => {
    const body = creation({});
    body.append(part, 'x');
    const { headers } = await shared.call('/api/v2/docForm/form/memo', { method: 'POST', body });
    expect(headers.get('x-error')).toBe(
      `The part ${part} is not docForm, docResponse or files with a file name.`,
    );
  });

  it('with an invalid body or type is rejected', async () => {
    expect((await send('application/json', '{}')).status).toBe(415);
    expect((await send('multipart/form-data', 'x')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=b', '--b\r\ncut')).status).toBe(400);
  });

  it('accepts JSON parts with file names', async () => {
    const form = new FormData();
    form.append('docForm', new Blob(['{"_tags":["blob"]}'], { type: 'application/json' }), 'blob');
    const { status, body } = await shared.call('/api/v2/docForm/form/memo', {
      method: 'POST',
      body: form,
    });
    expect([status, body._tags]).toEqual([201, ['blob']]);
  });

  it('that is aborted leaves no data', async () => {
    const dms = await freshSandbox();
    const incoming = join(dms.dataDir, 'incoming');
    const before = readdirSync(join(dms.dataDir, 'files')).length;
    const upload = openRequest(dms);
    upload.on('error', () => {});
    upload.write(`${head('whole.txt')}whole\r\n${head('cut.bin')}`);
    upload.write(Buffer.alloc(512 * 1024));
    await vi.waitFor(() => expect(readdirSync(incoming)).toHaveLength(2), 5000);
    upload.destroy();
    await vi.waitFor(() => expect(readdirSync(incoming)).toEqual([]), 5000);
    expect(await total(dms)).toBe(200);
    expect(readdirSync(join(dms.dataDir, 'files'))).toHaveLength(before);
    expect(existsSync(incoming)).toBe(true);
  });

  it('is answered before a large file has arrived', async () => {
    const form = creation({ files: [['big.bin', new Blob([Buffer.alloc(8 * 1024 * 1024)])]] });
    const refused = await shared.call('/api/v2/docForm/form/nosuch', {
      method: 'POST',
      body: form,
    });
    expect(refused.status).toBe(404);
    expect((await shared.call('/api/v2/docForm/DOC-0001')).status).toBe(200);
  });
});
