import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshSandbox, seeded } from './helpers.ts';

describe('an invalid request', () => {
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
