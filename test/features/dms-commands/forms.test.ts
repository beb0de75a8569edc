import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/features/settings.ts';
import { readFormsOfDms } from '../../../src/features/dms-commands/forms.ts';
import { openCommandDms } from '../../../src/startup/commands.ts';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { spawnGateway } from '../../helpers/process.ts';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

const service = {
  IDENTITY: 'service',
  DMS_AUTHORIZATION: 'Bearer the-secret',
  FILE_URL_SECRET: 'f'.repeat(32),
};
const forms = [{ _id: '64b000000000000000000001', _id_web: 'memo', unknown: { kept: [1] } }];

/** Reads the forms of a DMS that answers with a body or, for a number, with a status. */
async function readFrom(answer: object | number, settings: Record<string, string> = service) {
  const dms = await startFailingDms((_request, response) => {
    response.setHeader('content-type', 'application/json');
    if (typeof answer === 'number') response.writeHead(answer).end('{"error":"secret"}');
    else response.end(JSON.stringify(answer));
  });
  const config = readConfig({ DMS_URL: dms.url, ...settings });
  const host = { runAs: null, openDms: () => openCommandDms(config), async write() {} };
  const text = await readFormsOfDms(config, host).catch((error: unknown) => error);
  return { text, requests: dms.requests };
}

describe('the command forms', () => {
  it('returns the forms as the DMS sends them, with one request', async () => {
    const { text, requests } = await readFrom(forms);
    expect(JSON.parse(text as string)).toEqual(forms);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['passthrough', {}, 401, 'Set IDENTITY=service and DMS_AUTHORIZATION for this command.'],
    ['service', service, 403, 'Reading forms requires the role elAdminDocsR.'],
    ['service', service, 500, 'status 500'],
    ['service', service, { a: 1 }, 'UPSTREAM_ERROR'],
  ])('says with IDENTITY=%s what to do', async (_mode, settings, answer, message) => {
    const { text } = await readFrom(answer, settings);
    expect(text).toBeInstanceOf(Error);
    expect((text as Error).message).toContain(message);
    expect((text as Error).message).not.toContain('secret');
  });

  it('writes the forms of the sandbox to a file', async () => {
    const file = join(temporaryDirectory(), 'forms.json');
    const command = spawnGateway({}, 'forms', '--out', file);
    expect(await command.exited).toBe(0);
    expect(command.output()).toBe('');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(7);
  });

  it('ends with 1 and says why it cannot read or write', async () => {
    const unreachable = spawnGateway({ DMS_URL: 'http://127.0.0.1:9', DMS_RETRIES: '0' }, 'forms');
    expect(await unreachable.exited).toBe(1);
    expect(unreachable.output()).toContain('The forms cannot be read: GET /api/v2/sysForm');
    const unwritable = spawnGateway({}, 'forms', '--out', '/nowhere/forms.json');
    expect(await unwritable.exited).toBe(1);
    expect(unwritable.output()).toContain('/nowhere/forms.json');
  });
});
