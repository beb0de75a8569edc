import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import type { Client } from './helpers.ts';
import { clientOf, create, creation, freshSandbox, temporaryFolder } from './helpers.ts';

const main = new URL('../../sandbox/main.ts', import.meta.url).pathname;

async function spawnSandbox(dataDir: string): Promise<{ child: ChildProcess; dms: Client }> {
  const child = spawn(process.execPath, [main, '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  const [url = '', authorization = ''] = lines;
  return {
    child,
    dms: clientOf({ url, authorization: authorization.replace('Authorization: ', '') }),
  };
}

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

describe('a killed process', () => {
  it('keeps all acknowledged writes', async () => {
    const dataDir = temporaryFolder();
    const { child, dms } = await spawnSandbox(dataDir);
    const documents = new Map<string, string>();
    const organizations: string[] = [];
    let killed = false;

    // The process is killed while four writers are active.
    const writer = async (name: number) => {
      for (let n = 0; !killed; n += 1) {
        const content = `${name}-${n}-${'x'.repeat(20_000)}`;
        const made = await dms.call('/api/v2/docForm/form/memo', {
          method: 'POST',
          body: creation({ files: [[`${n}.txt`, content]], docResponse: { taskstatus: 107 } }),
        });
        if (made.status === 201) documents.set(String(made.body._id), content);
        const body = { name: `${name}-${n}`, _id_ext: `w-${name}-${n}` };
        const org = await dms.call('/api/v2/crm/org', { method: 'POST', body });
        if (org.status === 201) organizations.push(body._id_ext);
        if (organizations.length >= 10 && !killed) {
          killed = true;
          child.kill('SIGKILL');
        }
      }
    };
    await Promise.allSettled([0, 1, 2, 3].map(writer));
    await (child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null);
    expect(child.signalCode).toBe('SIGKILL');
    expect(documents.size).toBeGreaterThanOrEqual(10);

    const after = await freshSandbox({ dataDir });
    for (const [id, content] of documents) {
      const { body } = await after.call<{ state: number; filesList: { id: string }[] }>(
        `/api/v2/docForm/${id}?embed=filesList`,
      );
      expect(body.state).toBe(40);
      const file = await after.fetch(`/api/v2/docForm/${id}/file/${body.filesList[0]?.id}`);
      expect(await file.text()).toBe(content);
    }
    for (const id of organizations) {
      expect((await after.call(`/api/v2/crm/org/${id}`)).status).toBe(200);
    }
    expect(readdirSync(join(dataDir, 'incoming'))).toEqual([]);
  });
});
