import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { clientOf, create, freshSandbox, temporaryFolder } from './helpers.ts';

describe('the data directory', () => {
  it('keeps its state after a restart', async () => {
    const dataDir = temporaryFolder();
    const first = await startSandbox({ dataDir });
    const dms = clientOf(first);
    const id = await create(dms, 'memo', {
      docForm: { valuesByTags: { subject: 'stays' } },
      files: [['a.txt', 'on disk']],
    });
    const at = `/api/v2/docForm/${id}?embed=filesList,valuesByTags`;
    const before = await dms.call<{ filesList: { id: string }[] }>(at);
    await first.close();

    const again = await freshSandbox({ dataDir });
    const after = await again.call(at);
    expect(after.body).toEqual(before.body);
    const file = await again.fetch(`/api/v2/docForm/${id}/file/${before.body.filesList[0]?.id}`);
    expect(await file.text()).toBe('on disk');
    const { headers } = await again.call('/api/v2/docForm/view/all');
    expect(headers.get('svc-total-count')).toBe('201');
  });

  it('has the same seed every time', async () => {
    const [one, other] = [await freshSandbox(), await freshSandbox()];
    for (const at of [
      '/api/v2/docForm/view/all?pageSize=100&embed=valuesByTags,recoData,recoResult,filesList',
      '/api/v2/crm/org?pageSize=100',
      '/api/v2/sysForm',
    ]) {
      expect((await one.call(at)).body).toEqual((await other.call(at)).body);
    }
    expect(readdirSync(join(one.dataDir, 'files'))).toEqual(
      readdirSync(join(other.dataDir, 'files')),
    );
  });

  it('has no leftovers after the next start', async () => {
    const dataDir = temporaryFolder();
    await (await startSandbox({ dataDir })).close();
    const before = readdirSync(join(dataDir, 'files'));
    writeFileSync(join(dataDir, 'incoming', randomUUID()), 'an upload');
    writeFileSync(join(dataDir, 'files', 'f'.repeat(24)), 'never committed');
    await (await startSandbox({ dataDir })).close();
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([]);
    expect(readdirSync(join(dataDir, 'files'))).toEqual(before);
  });

  it('keeps files and folders that are not its own', async () => {
    const dataDir = temporaryFolder();
    const own = ['files', 'incoming'].map((name) => join(dataDir, name));
    for (const folder of own) {
      mkdirSync(join(folder, 'folder'), { recursive: true });
      writeFileSync(join(folder, 'report.txt'), '');
    }
    await (await startSandbox({ dataDir })).close();
    for (const folder of own) {
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['folder', 'report.txt']));
    }
  });

  it('serves one sandbox at a time', async () => {
    const { dataDir, call } = await freshSandbox();
    for (let count = 0; count < 2; count += 1) {
      await expect(startSandbox({ dataDir })).rejects.toThrow(
        `The data directory ${dataDir} cannot be used: another process uses it (database is locked)`,
      );
    }
    expect((await call('/api/v2/sysForm')).status).toBe(200);
  });

  it('is named if it cannot be used', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const broken = join(folder, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'sandbox.sqlite'), 'not a database'.repeat(1000));
    const other = join(folder, 'other');
    await (await startSandbox({ dataDir: other })).close();
    const db = new DatabaseSync(join(other, 'sandbox.sqlite'));
    db.exec(`UPDATE setting SET value = '0' WHERE name = 'version'`);
    db.close();
    for (const [dataDir, reason] of [
      [file, 'EEXIST'],
      [join(file, 'below'), 'ENOTDIR'],
      [broken, 'file is not a database'],
      [other, 'it was created by another version of the sandbox'],
    ] as const) {
      await expect(startSandbox({ dataDir })).rejects.toThrow(
        `The data directory ${dataDir} cannot be used: ${reason}`,
      );
    }
  });
});
