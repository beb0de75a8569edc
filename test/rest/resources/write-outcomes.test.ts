import { describe, expect, it } from 'vitest';
import type { UploadFile } from '../../../src/model/document.ts';
import type { WriteOutcome } from '../../../src/model/common.ts';
import type { Dms } from '../../../src/rest/dms.ts';
import { xErrorMessage } from '../../../src/rest/client/rest-error.ts';
import { createMockDms, testDms } from '../../helpers/mock-dms.ts';

const id = '64a000000000000000000001';
async function* files(...given: UploadFile[]): AsyncGenerator<UploadFile> {
  yield* given;
}

it('documents.create has no workflow error for an empty header', async () => {
  const mock = createMockDms().reply('POST', /./, { _id: id }, { headers: { 'x-error': '' } });
  expect(await testDms(mock).documents.create({ formName: 'inv' }, files())).toMatchObject({
    value: { workflowError: null },
  });
});

async function outcome(
  write: (dms: Dms) => Promise<WriteOutcome<unknown>>,
  status: number,
  xError?: string,
): Promise<WriteOutcome<unknown>> {
  const headers = xError === undefined ? {} : { 'x-error': xError };
  return write(
    testDms(
      createMockDms()
        .reply('POST', /./, 'gone wrong', { status, headers })
        .reply('PUT', /./, 'gone wrong', { status, headers })
        .reply('DELETE', /./, 'gone wrong', { status, headers }),
    ),
  );
}

describe('the outcome of a write', () => {
  const writes: readonly [string, string | null, (dms: Dms) => Promise<WriteOutcome<unknown>>][] = [
    [
      'respond',
      null,
      (dms) => dms.documents.respond({ documentId: id, responseId: id, action: 'SIGN' }),
    ],
    ['move', 'elAdminDocsRW', (dms) => dms.documents.move({ documentId: id, action: 'BLOCK' })],
    ['create', null, (dms) => dms.documents.create({ formName: 'inv' }, files())],
    ['organization', 'elAdminCrmRW', (dms) => dms.organizations.upsert({})],
    ['removal', 'elAdminCrmRW', (dms) => dms.organizations.remove(id)],
    ['listValue', 'elAdminDocRW', (dms) => dms.listValues.upsert({})],
    ['person', 'elAdminSysRW', (dms) => dms.persons.update('usr-a', {})],
    ['orgUnit', 'elAdminSysRW', (dms) => dms.orgUnits.upsert({})],
  ];

  it.each(writes)('of %s is a value for expected failures', async (_name, role, write) => {
    for (const message of [null, 'no such tag']) {
      const outcomeOf = (status: number) => outcome(write, status, message ?? undefined);
      expect(await outcomeOf(422)).toEqual({ outcome: 'nothingChanged', message });
      expect(await outcomeOf(404)).toEqual({ outcome: 'notFound', message });
      expect(await outcomeOf(403)).toEqual({ outcome: 'forbidden', message, requiredRole: role });
    }
    for (const status of [400, 409, 413]) {
      expect(await outcome(write, status, 'no such tag')).toEqual({
        outcome: 'rejected',
        message: 'no such tag',
      });
    }
  });

  it('contains the status without a reason', async () => {
    const write = writes[0]?.[2] ?? (() => Promise.reject(new Error('none')));
    expect(await outcome(write, 400)).toEqual({
      outcome: 'rejected',
      message: 'The DMS rejected the request (status 400).',
    });
  });

  it('sanitizes and limits the reason', async () => {
    const write = writes[0]?.[2] ?? (() => Promise.reject(new Error('none')));
    expect(await outcome(write, 400, 'Größe  zu\tgroß')).toMatchObject({
      message: 'Größe zu groß',
    });
    const long = await outcome(write, 400, 'x'.repeat(5000));
    expect(long).toMatchObject({ message: `${'x'.repeat(500)}…` });
  });

  it('decodes a reason that is not UTF-8 as Latin-1', () => {
    expect(xErrorMessage({ 'x-error': 'zu gro\u00df' })).toBe('zu groß');
  });

  it.each([405, 406, 407, 411, 414, 416, 417, 426, 431])('is an error for %i', async (status) => {
    for (const [, , write] of writes) {
      await expect(outcome(write, status)).rejects.toMatchObject({
        code: 'UPSTREAM_ERROR',
        retryable: false,
      });
    }
  });

  it('is a rejection for any 4xx with a reason', async () => {
    for (const [, , write] of writes) {
      expect(await outcome(write, 406, 'no such tag')).toEqual({
        outcome: 'rejected',
        message: 'no such tag',
      });
    }
  });

  it.each([421, 425])('is unavailable for %i', async (status) => {
    for (const [, , write] of writes) {
      await expect(outcome(write, status)).rejects.toMatchObject({
        code: 'UPSTREAM_UNAVAILABLE',
        retryable: true,
      });
    }
  });

  it.each([302, 303, 408, 502, 504])('is unknown for %i', async (status) => {
    for (const [, , write] of writes) {
      await expect(outcome(write, status)).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        status,
        retryable: false,
      });
    }
  });

  it.each([301, 304, 307, 308])('is an error for %i', async (status) => {
    for (const [, , write] of writes) {
      await expect(outcome(write, status)).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    }
  });

  const isAction = ([name]: readonly [string, ...unknown[]]): boolean =>
    ['respond', 'move', 'removal'].includes(name);
  const actions = writes.filter(isAction);
  const upserts = writes.filter((write) => !isAction(write));

  it.each([
    ['a page of HTML', '<html>'],
    ['broken JSON', '{"_id":"a"'],
    ['nothing', ''],
    ['no id', '{"name":"a"}'],
    ['an array', '[]'],
    ['a body above the limit', ' '.repeat(20_000)],
  ])('is unknown when a success has %s', async (_what, body) => {
    const mock = createMockDms().reply('POST', /./, body, { status: 201 });
    expect(upserts).toHaveLength(5);
    for (const [, , write] of upserts) {
      await expect(write(testDms(mock, { dmsMaxResponseBytes: 15_000 }))).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        status: 201,
        retryable: false,
      });
    }
    expect(mock.requests).toHaveLength(5);
  });

  it.each<[string, string, string | undefined]>([
    ['an empty body', '', undefined],
    ['an empty body declared as HTML', '', 'text/html'],
    ['a word declared as HTML', 'OK', 'text/html; charset=utf-8'],
    ['null', 'null', 'application/json'],
    ['broken JSON', '{', 'application/json'],
  ])('is done for an action with %s', async (_what, body, type) => {
    for (const [, , write] of actions) {
      expect(await answeredWith(write, body, type)).toMatchObject({ outcome: 'done' });
    }
  });

  it.each([
    ['text/html', '<!DOCTYPE html><title>Sign in</title>'],
    ['TEXT/HTML; charset=utf-8', '\ufeff\r\n <html>'],
    ['application/xhtml+xml', '<?xml version="1.0"?><html/>'],
  ])('is unknown when an action returns a page of %s', async (type, body) => {
    expect(actions).toHaveLength(3);
    for (const [, , write] of actions) {
      await expect(answeredWith(write, body, type)).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        status: 200,
      });
    }
  });
});

function answeredWith(
  write: (dms: Dms) => Promise<WriteOutcome<unknown>>,
  body: string,
  type?: string,
): Promise<WriteOutcome<unknown>> {
  const options = type === undefined ? {} : { headers: { 'content-type': type } };
  const mock = createMockDms();
  for (const method of ['POST', 'PUT', 'DELETE']) mock.reply(method, /./, body, options);
  return write(testDms(mock));
}
