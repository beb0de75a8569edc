import { describe, expect, it } from 'vitest';
import type {
  CreateAction,
  PhaseAction,
  ResponseAction,
  UploadFile,
} from '../../../src/model/document.ts';
import type { WriteOutcome } from '../../../src/model/common.ts';
import type { Dms } from '../../../src/rest/dms.ts';
import { xErrorMessage } from '../../../src/rest/client/rest-error.ts';
import { createMockDms, testDms } from '../../helpers/mock-dms.ts';

const id = '64a000000000000000000001';
const response = '64b000000000000000000001';

async function* files(...given: UploadFile[]): AsyncGenerator<UploadFile> {
  yield* given;
}

async function sentBy(write: (dms: Dms) => Promise<unknown>) {
  const mock = createMockDms().reply('POST', /./, { _id: id, _id_sys: 'x' });
  mock.reply('PUT', /./, '').reply('DELETE', /./, null);
  await write(testDms(mock));
  expect(mock.received).toHaveLength(1);
  const [sent] = mock.received;
  return {
    line: `${sent?.method} ${sent?.path}`,
    type: sent?.headers['content-type'],
    body: sent?.body ?? '',
  };
}

const responseCodes: Record<ResponseAction, number> = {
  APPROVE: 2,
  APPROVE_WITH_EDITS: 3,
  DECLINE: 4,
  COMPLETE_EXECUTION: 5,
  SIGN: 8,
};
const createCodes: Record<CreateAction, number> = {
  SEND_TO_APPROVAL: 100,
  RESEND: 104,
  SEND_TO_SIGN: 105,
  SEND_TO_EXECUTION: 106,
  SEND_TO_ARCHIVE: 107,
  SEND_TO_REPOSITORY: 108,
};
const phaseCodes: Record<PhaseAction, number> = {
  ...createCodes,
  SUSPEND: 101,
  RESUME: 102,
  CANCEL: 103,
  BLOCK: 110,
  DELETE: 111,
};

function keys<K extends string>(codes: Record<K, number>): [K, number][] {
  // Object.entries returns strings, although the keys of the record are known.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.entries(codes) as [K, number][];
}

describe('documents.respond', () => {
  it.each(keys(responseCodes))('sends only %s as %i', async (action, taskstatus) => {
    const sent = await sentBy((dms) =>
      dms.documents.respond({ documentId: id, responseId: response, action }),
    );
    expect(sent).toEqual({
      line: `PUT /api/v2/docForm/${id}/docResponse/${response}`,
      type: 'application/json',
      body: JSON.stringify({ docResponse: { taskstatus } }),
    });
  });

  it('sends text, tables, tags and the description', async () => {
    const { body } = await sentBy((dms) =>
      dms.documents.respond({
        documentId: id,
        responseId: response,
        action: 'APPROVE_WITH_EDITS',
        content: 'fine',
        values: [
          { kind: 'text', tag: 'sum', text: '' },
          { kind: 'table', tag: 'rows', columns: ['a', 'b'], rows: [['1', '2'], []] },
          { kind: 'text', tag: '__proto__', text: 'own' },
        ],
        tags: ['urgent'],
      }),
    );
    expect(body).toBe(
      '{"docForm":{"valuesByTags":{"sum":"","rows":[["a","b"],["1","2"],[]],"__proto__":"own"},' +
        '"_tags":["urgent"]},"docResponse":{"taskstatus":3,"content":"fine"}}',
    );
  });

  it('sends no tags as an empty list', async () => {
    const { body } = await sentBy((dms) =>
      dms.documents.respond({ documentId: id, responseId: response, action: 'SIGN', tags: [] }),
    );
    expect(JSON.parse(body)).toEqual({ docForm: { _tags: [] }, docResponse: { taskstatus: 8 } });
  });
});

describe('documents.move', () => {
  it.each(keys(phaseCodes))('sends %s as %i', async (action, taskstatus) => {
    const sent = await sentBy((dms) => dms.documents.move({ documentId: 'AB-12', action }));
    expect(sent).toEqual({
      line: 'POST /api/v2/docForm/AB-12/docResponse',
      type: 'application/json',
      body: JSON.stringify({ docResponse: { taskstatus } }),
    });
  });
});

describe('documents.create', () => {
  it('sends an empty document if nothing is set', async () => {
    const {
      line,
      type = '',
      body,
    } = await sentBy((dms) => dms.documents.create({ formName: 'inv' }, files()));
    const [, boundary = ''] = type.split('boundary=');
    expect(line).toBe('POST /api/v2/docForm/form/inv');
    expect(body).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="docForm"\r\n` +
        `Content-Type: application/json\r\n\r\n{}\r\n--${boundary}--\r\n`,
    );
  });

  it.each(keys(createCodes))('sends %s as %i', async (action, taskstatus) => {
    const { body } = await sentBy((dms) =>
      dms.documents.create({ formName: 'inv', action }, files()),
    );
    expect(body).toContain(`name="docResponse"`);
    expect(body).toContain(`\r\n\r\n{"taskstatus":${taskstatus}}\r\n`);
  });

  it('sends its parameters in the query', async () => {
    const { line, body } = await sentBy((dms) =>
      dms.documents.create(
        {
          formName: 'inv',
          values: [{ kind: 'text', tag: 'sum', text: '1' }],
          tags: ['new'],
          allowDuplicates: false,
          ocrLanguages: ['eng', 'rus'],
          forceOcr: true,
        },
        files(),
      ),
    );
    expect(line).toBe(
      'POST /api/v2/docForm/form/inv?allowDupl=false&idpFrpr=true&idpLngs=eng%2Brus',
    );
    expect(body).toContain('{"valuesByTags":{"sum":"1"},"_tags":["new"]}');
  });

  it('returns the document and the workflow error', async () => {
    const answer = { _id: id, _id_web: 'A1', _meta: { _rev: 1 }, state: 1, datedue: '' };
    const mock = createMockDms().reply('POST', /./, answer, {
      status: 201,
      headers: { 'x-error': 'no route' },
    });
    expect(await testDms(mock).documents.create({ formName: 'inv' }, files())).toEqual({
      outcome: 'done',
      value: {
        document: {
          fullId: id,
          shortId: 'A1',
          meta: expect.objectContaining({ createdAt: null, modifiedAt: null, revision: 1 }),
          state: 1,
          dateDue: null,
        },
        workflowError: 'no route',
      },
    });
  });

  it('has no workflow error for an empty header', async () => {
    const mock = createMockDms().reply('POST', /./, { _id: id }, { headers: { 'x-error': '' } });
    expect(await testDms(mock).documents.create({ formName: 'inv' }, files())).toMatchObject({
      value: { workflowError: null },
    });
  });

  it.each([['eng,rus'], [''], ['eng\n']])('rejects the language %j', async (language) => {
    const mock = createMockDms();
    await expect(
      testDms(mock).documents.create({ formName: 'inv', ocrLanguages: [language] }, files()),
    ).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(mock.requests).toEqual([]);
  });
});

describe('reference data', () => {
  it.each<[string, (dms: Dms) => Promise<unknown>, string, object]>([
    [
      'an organization',
      (dms) =>
        dms.organizations.upsert({
          fullId: id,
          externalId: 'E',
          governmentId: 'G',
          name: 'Acme',
          nameExt: [{ a: 1 }],
          notes: '',
          owner: 'usr-a',
          areaId: 'ar',
          typeId: 'ty',
        }),
      'POST /api/v2/crm/org',
      {
        _id: id,
        _id_ext: 'E',
        govId: 'G',
        name: 'Acme',
        nameExt: [{ a: 1 }],
        notes: '',
        owner: 'usr-a',
        areaId: 'ar',
        typeId: 'ty',
      },
    ],
    [
      'an organization by external ID',
      (dms) => dms.organizations.upsert({ externalId: 'E' }),
      'POST /api/v2/crm/org',
      { _id_ext: 'E' },
    ],
    [
      'a list value',
      (dms) =>
        dms.listValues.upsert({
          fullId: id,
          parentId: response,
          externalId: 'E',
          status: 1,
          value: [
            { language: 'en', text: 'One' },
            { language: 'de', text: 'Eins' },
          ],
        }),
      'POST /api/v2/listValue',
      { _id: id, _id_kf: response, _id_ext: 'E', status: 1, value: { en: 'One', de: 'Eins' } },
    ],
    [
      'a person',
      (dms) =>
        dms.persons.update('usr-a', {
          password: 'p',
          firstName: 'A',
          middleName: 'B',
          lastName: 'C',
          officePhone: '1',
          mobilePhone: '2',
          unitName: 'U',
          deputy: { personId: 'usr-b', enabled: false },
        }),
      'POST /api/v2/person',
      {
        _id_sys: 'usr-a',
        pwd: 'p',
        name_first: 'A',
        name_mid: 'B',
        name_last: 'C',
        phone_office: '1',
        phone_mobile: '2',
        unit: 'U',
        deputy: { id: 'usr-b', enabled: 'false' },
      },
    ],
    [
      'one property of a person',
      (dms) => dms.persons.update('usr-a', { lastName: '' }),
      'POST /api/v2/person',
      { _id_sys: 'usr-a', name_last: '' },
    ],
    [
      'a unit',
      (dms) =>
        dms.orgUnits.upsert({
          systemId: 'unit1',
          name: 'U',
          headId: 'usr-a',
          memberIds: ['usr-b'],
        }),
      'POST /api/v2/orgUnit',
      { _id_sys: 'unit1', name: 'U', elhead: 'usr-a', elmembers: ['usr-b'] },
    ],
  ])('sends %s', async (_noun, write, line, body) => {
    const sent = await sentBy(write);
    expect(sent).toMatchObject({ line, type: 'application/json' });
    expect(JSON.parse(sent.body)).toEqual(body);
  });

  it('deletes an organization and accepts null', async () => {
    const sent = await sentBy((dms) => dms.organizations.remove('E 1'.replace(' ', '-')));
    expect(sent).toEqual({ line: 'DELETE /api/v2/crm/org/E-1', type: undefined, body: '' });
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
