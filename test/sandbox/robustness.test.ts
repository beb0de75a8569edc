import { connect } from 'node:net';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Client } from './helpers.ts';
import { freshSandbox, seeded } from './helpers.ts';

/** Sends bytes and returns the status line of the response. Empty without a response. */
function raw(dms: Client, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(dms.url).port), '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
  });
}

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

  it('gets the allowed methods of a path', async () => {
    const dms = await freshSandbox();
    const allow = async (at: string) =>
      (await dms.call(at, { method: 'PUT', body: {} })).headers.get('allow');
    expect(await allow('/api/v2/crm/org/x')).toBe('GET, DELETE, HEAD');
    expect(await allow('/api/v2/docForm/x/docResponse')).toBe('POST');
  });

  it('is limited and keeps the connection', async () => {
    const dms = await freshSandbox();
    const huge = JSON.stringify({ name: 'x'.repeat(5 * 1024 * 1024) });
    const { status, headers } = await dms.call('/api/v2/crm/org', {
      method: 'POST',
      body: huge,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, headers.get('x-error')]).toEqual([413, 'The body is larger than 4 MiB.']);

    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${dms.authorization}\r\n`;
    const socket = connect(Number(new URL(dms.url).port), '127.0.0.1');
    socket.write(
      `POST /api/v2/crm/org ${head}Content-Type: application/json\r\nContent-Length: ${huge.length}\r\n\r\n${huge}` +
        `GET /api/v2/crm/org/erp-0001 ${head}Connection: close\r\n\r\n`,
    );
    const answers = await text(socket);
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('does not end the service', async () => {
    const dms = await freshSandbox();
    const authorization = `Authorization: ${dms.authorization}\r\nHost: x\r\n`;
    const sent = [
      'garbage\r\n\r\n',
      `GET //x?%%% HTTP/1.1\r\n${authorization}\r\n`,
      `GET /api/v2/docForm/${'%00'.repeat(50)} HTTP/1.1\r\n${authorization}\r\n`,
      `GET /api/v2/docForm/view/all?form=${'a,'.repeat(4000)} HTTP/1.1\r\n${authorization}\r\n`,
      `GET /api/v2/docForm/view/all?tags=%22%27;-- HTTP/1.1\r\n${authorization}\r\n`,
      `POST /api/v2/crm/org HTTP/1.1\r\n${authorization}Content-Type: application/json\r\nContent-Length: 3\r\n\r\n{"a`,
    ];
    const answers = await Promise.all(sent.map((bytes) => raw(dms, bytes)));
    expect(answers).toEqual([
      'HTTP/1.1 400 Bad Request',
      'HTTP/1.1 404 Not Found',
      'HTTP/1.1 404 Not Found',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 400 Bad Request',
    ]);
    expect((await dms.call('/api/v2/docForm/DOC-0001')).status).toBe(200);
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
