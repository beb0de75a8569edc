import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Client } from './helpers.ts';
import { freshSandbox, seeded } from './helpers.ts';

describe('an invalid request', () => {
  it('gets a 4xx', async () => {
    const dms = await freshSandbox();
    const json = { 'content-type': 'application/json' };
    const org = '/api/v2/crm/org';
    const statusOf = async (at: string, options: Parameters<Client['call']>[1] = {}) => {
      const { status, body, headers } = await dms.call(at, options);
      expect(body.error).toBe(headers.get('x-error'));
      return status;
    };
    expect(await statusOf('/')).toBe(404);
    expect(await statusOf('/api/v2/docForm/')).toBe(404);
    expect(await statusOf('/api/v3/person/usr-ann')).toBe(404);
    expect(await statusOf('/api/v2/person/%E0%A4%A')).toBe(400);
    expect(await statusOf(org, { method: 'PATCH', body: {} })).toBe(405);
    expect(await statusOf(org, { method: 'POST', body: '{', headers: json })).toBe(400);
    expect(await statusOf(org, { method: 'POST', body: '', headers: json })).toBe(400);
    expect(await statusOf(org, { method: 'POST', body: '[]', headers: json })).toBe(400);
    expect(await statusOf(org, { method: 'POST', body: 'name=x' })).toBe(415);
  });

  it('stores unusual keys as data', async () => {
    const dms = await freshSandbox();
    const form = new FormData();
    form.append('docForm', '{"valuesByTags":{"__proto__":"a","constructor":"b","":"c"}}');
    const at = '/api/v2/docForm/form/memo';
    expect((await dms.call(at, { method: 'POST', body: form })).status).toBe(400);
    form.set('docForm', '{"valuesByTags":{"__proto__":"a","constructor":"b"}}');
    const { body } = await dms.call(at, { method: 'POST', body: form });
    const read = await dms.fetch(
      `/api/v2/docForm/${String(body._id)}?fields=_id&embed=valuesByTags`,
    );
    expect(await read.text()).toContain('"valuesByTags":{"__proto__":"a","constructor":"b"}');
  });
});

it('returns 500 for internal errors', async () => {
  const logged = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => logged.mockRestore());
  const dms = await freshSandbox();
  rmSync(join(dms.dataDir, 'files', seeded.file(2, 1)));
  const { status, body } = await dms.call(`/api/v2/docForm/DOC-0002/file/${seeded.file(2, 1)}`);
  expect([status, body]).toEqual([500, { error: 'Internal server error.' }]);
  expect(logged.mock.calls.flat().join('')).toContain('ENOENT');
  expect((await dms.call('/api/v2/docForm/DOC-0002')).status).toBe(200);
});
