import { describe, expect, it } from 'vitest';
import { ID_RULE } from '../../src/model/resource.ts';
import { createResolvers } from '../helpers/resolvers.ts';
import { globalId } from '../helpers/ids.ts';

const A = '5f0000000000000000000001';
const B = '5f0000000000000000000002';
const C = '5f0000000000000000000003';

const FAILURES = `__typename
  ... on Error { message }
  ... on ValidationError { issues { path message } }
  ... on ForbiddenError { requiredRole }`;

const create = `mutation ($input: CreateDocumentInput!) {
  createDocument(input: $input) { ${FAILURES}
    ... on CreateDocumentPayload { workflowError document { fullId shortId state } } } }`;
const respond = `mutation ($input: RespondToDocumentInput!) {
  respondToDocument(input: $input) { ${FAILURES}
    ... on ConflictError { expectedRevision actualRevision }
    ... on RespondToDocumentPayload { document { fullId state } } } }`;
const move = `mutation ($input: MoveDocumentInput!) {
  moveDocument(input: $input) { ${FAILURES}
    ... on ConflictError { expectedRevision actualRevision }
    ... on MoveDocumentPayload { document { fullId state } } } }`;

const bodies = (received: readonly { method: string; body: string }[]) =>
  received.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body) as unknown);

/** The JSON parts of a multipart body, by name. */
function parts(body: string): Record<string, unknown> {
  const found = body.matchAll(/name="(\w+)"[^\r]*\r\n(?:[^\r]+\r\n)*\r\n([\s\S]*?)\r\n--/g);
  return Object.fromEntries(
    [...found].map(([, name, text]) => [
      name,
      /^[[{]/.test(text!) ? (JSON.parse(text!) as unknown) : text,
    ]),
  );
}

describe('createDocument', () => {
  const answer = { _id: A, _id_web: 'D-1', state: 3, _meta: { _rev: 1 } };

  it('sends values, tags, action and options', async () => {
    const { dms, run } = createResolvers();
    dms.reply('POST', '/api/v2/docForm/form/invoice', answer, { status: 201 });
    const { data } = await run(create, {
      input: {
        form: 'invoice',
        values: [
          { tag: 'total', text: '12' },
          { tag: 'lines', table: { columns: ['item', 'price'], rows: [['pen', '2']] } },
        ],
        tags: ['red'],
        action: 'SEND_TO_APPROVAL',
        allowDuplicates: false,
        ocrLanguages: ['eng', 'deu'],
        forceOcr: true,
      },
    });
    expect(dms.received[0]!.path).toBe(
      '/api/v2/docForm/form/invoice?allowDupl=false&idpFrpr=true&idpLngs=eng%2Bdeu',
    );
    expect(parts(dms.received[0]!.body)).toEqual({
      docForm: {
        valuesByTags: {
          total: '12',
          lines: [
            ['item', 'price'],
            ['pen', '2'],
          ],
        },
        _tags: ['red'],
      },
      docResponse: { taskstatus: 100 },
    });
    expect(data).toEqual({
      createDocument: {
        __typename: 'CreateDocumentPayload',
        workflowError: null,
        document: { fullId: A, shortId: 'D-1', state: 3 },
      },
    });
    expect(dms.requests).toHaveLength(1); // the response contains everything that is selected
  });

  it('omits absent and null fields', async () => {
    const { dms, run } = createResolvers();
    dms.reply('POST', '/api/v2/docForm/form/invoice', answer, { status: 201 });
    await run(create, { input: { form: 'invoice', values: null, tags: null, action: null } });
    expect(dms.received[0]!.path).toBe('/api/v2/docForm/form/invoice');
    expect(parts(dms.received[0]!.body)).toEqual({ docForm: {} });
  });

  it('reads missing properties in one request', async () => {
    const { dms, run } = createResolvers();
    dms.reply('POST', '/api/v2/docForm/form/invoice', answer, { status: 201 });
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, filesList: [{ id: B, fileName: 'a' }] });
    const { data } = await run(
      `mutation { createDocument(input: { form: "invoice" }) {
        ... on CreateDocumentPayload { document { state files { name } } } } }`,
    );
    expect(data).toEqual({ createDocument: { document: { state: 3, files: [{ name: 'a' }] } } });
    expect(dms.requests).toEqual([
      'POST /api/v2/docForm/form/invoice',
      `GET /api/v2/docForm/${A}?fields=_id,filesList,id,fileName&embed=filesList`,
    ]);
  });

  it('resolves a full or global form ID', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/sysForm/${B}`, { _id: B, _id_web: 'invoice' });
    dms.reply('POST', '/api/v2/docForm/form/invoice', answer, { status: 201 });
    await run(create, { input: { form: globalId('Form', B) } });
    expect(dms.requests).toEqual([`GET /api/v2/sysForm/${B}`, 'POST /api/v2/docForm/form/invoice']);
  });

  it('reports why the action failed', async () => {
    const { dms, run } = createResolvers();
    dms.reply('POST', '/api/v2/docForm/form/invoice', answer, {
      status: 201,
      headers: { 'x-error': 'no route to approval' },
    });
    const { data } = await run(create, { input: { form: 'invoice', action: 'RESEND' } });
    expect(data).toMatchObject({
      createDocument: { workflowError: 'no route to approval', document: { fullId: A } },
    });
  });

  it('reports all issues without a request', async () => {
    const { dms, run } = createResolvers();
    const { data } = await run(create, {
      input: {
        form: 'a/b',
        values: [
          { tag: '' },
          { tag: 'x', text: 'a', table: { columns: ['c'], rows: [] } },
          { tag: 'x', table: { columns: ['a', 'b'], rows: [['1', '2'], ['3']] } },
          { tag: 'y', table: { columns: [], rows: [[], ['1']] } },
        ],
        tags: ['a,b'],
        ocrLanguages: ['eng+deu'],
      },
    });
    const { issues, ...error } = (data as { createDocument: { issues: { path: string[] }[] } })
      .createDocument;
    expect(error).toMatchObject({ __typename: 'ValidationError' });
    expect(issues.map(({ path }) => path.join('.'))).toEqual([
      'form',
      'values.0.tag',
      'values.0',
      'values.1',
      'values.2.tag',
      'values.2.table.rows.1',
      'values.3.table.rows.1',
      'tags.0',
      'ocrLanguages.0',
    ]);
    expect(dms.requests).toEqual([]);
  });
});

describe('respondToDocument', () => {
  it.each([
    ['APPROVE', 2],
    ['APPROVE_WITH_EDITS', 3],
    ['DECLINE', 4],
    ['COMPLETE_EXECUTION', 5],
    ['SIGN', 8],
  ])('sends %s as %i, once', async (action, taskstatus) => {
    const { dms, run } = createResolvers();
    dms.reply('PUT', `/api/v2/docForm/${A}/docResponse/${B}`, {});
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, state: 2 });
    const { data } = await run(respond, { input: { document: A, response: B, action } });
    expect(dms.requests).toEqual([
      `PUT /api/v2/docForm/${A}/docResponse/${B}`,
      `GET /api/v2/docForm/${A}?fields=_id,state`,
    ]);
    expect(bodies(dms.received)).toEqual([{ docResponse: { taskstatus } }]);
    expect(data).toMatchObject({ respondToDocument: { document: { fullId: A, state: 2 } } });
  });

  it('sends content, values and tags', async () => {
    const { dms, run } = createResolvers();
    dms.reply('PUT', /docResponse/, {});
    await run(respond, {
      input: {
        document: globalId('Document', A),
        response: globalId('DocumentResponse', B),
        action: 'APPROVE_WITH_EDITS',
        content: 'fine',
        values: [{ tag: 'total', text: '' }],
        tags: [],
      },
    });
    expect(bodies(dms.received)).toEqual([
      {
        docForm: { valuesByTags: { total: '' }, _tags: [] },
        docResponse: { taskstatus: 3, content: 'fine' },
      },
    ]);
  });

  it('sends tables without columns', async () => {
    const { dms, run } = createResolvers();
    dms.reply('PUT', /docResponse/, {});
    const { data } = await run(respond, {
      input: {
        document: A,
        response: B,
        action: 'APPROVE_WITH_EDITS',
        values: [
          { tag: 'bare', table: { columns: [], rows: [] } },
          { tag: 'rows', table: { columns: [], rows: [[], []] } },
          { tag: 'head', table: { columns: ['n'], rows: [] } },
          { tag: '__proto__', text: 'own' },
        ],
      },
    });
    expect(data).toMatchObject({ respondToDocument: { __typename: 'RespondToDocumentPayload' } });
    expect(dms.received[0]!.body).toBe(
      '{"docForm":{"valuesByTags":{"bare":[[]],"rows":[[],[],[]],"head":[["n"]],"__proto__":"own"}},"docResponse":{"taskstatus":3}}',
    );
  });

  it('reads the response ID', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/docForm/D-1', { _id: A, state: 2, docResponse: { _id: B } });
    dms.reply('PUT', `/api/v2/docForm/D-1/docResponse/${B}`, {});
    await run(respond, { input: { document: 'D-1', action: 'SIGN' } });
    expect(dms.requests).toEqual([
      'GET /api/v2/docForm/D-1?fields=_id,docResponse&embed=docResponse',
      `PUT /api/v2/docForm/D-1/docResponse/${B}`,
      'GET /api/v2/docForm/D-1?fields=_id,state',
    ]);
  });

  it('reports that no response is expected', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, docResponse: null });
    const { data } = await run(respond, { input: { document: A, action: 'SIGN' } });
    expect(data).toMatchObject({
      respondToDocument: {
        __typename: 'NotFoundError',
        message: 'The document does not expect a response from you in its current phase.',
      },
    });
    expect(dms.requests).toHaveLength(1);
  });

  it('reports that the document or the response was not found', async () => {
    const { dms, run } = createResolvers();
    dms.reply('PUT', `/api/v2/docForm/${A}/docResponse/${B}`, {}, { status: 404 });
    const { data } = await run(respond, { input: { document: A, response: B, action: 'SIGN' } });
    expect(data).toMatchObject({
      respondToDocument: {
        __typename: 'NotFoundError',
        message: 'The document or its response was not found.',
      },
    });
    expect(dms.requests).toEqual([`PUT /api/v2/docForm/${A}/docResponse/${B}`]);
  });

  it('rejects an outdated revision after one read', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, {
      _id: A,
      _meta: { _rev: 8 },
      docResponse: { _id: B },
    });
    const { data } = await run(respond, {
      input: { document: A, action: 'APPROVE', expectedRevision: 7 },
    });
    expect(data).toEqual({
      respondToDocument: {
        __typename: 'ConflictError',
        message:
          'The document has changed: its revision is 8, not 7. Read it again before you retry.',
        expectedRevision: 7,
        actualRevision: 8,
      },
    });
    expect(dms.requests).toEqual([
      `GET /api/v2/docForm/${A}?fields=_id,_meta,docResponse&embed=docResponse`,
    ]);
  });
});

describe('moveDocument', () => {
  it.each([
    ['SEND_TO_APPROVAL', 100],
    ['SUSPEND', 101],
    ['RESUME', 102],
    ['CANCEL', 103],
    ['RESEND', 104],
    ['SEND_TO_SIGN', 105],
    ['SEND_TO_EXECUTION', 106],
    ['SEND_TO_ARCHIVE', 107],
    ['SEND_TO_REPOSITORY', 108],
    ['BLOCK', 110],
  ])('sends %s as %i, once', async (action, taskstatus) => {
    const { dms, run } = createResolvers();
    dms.reply('POST', `/api/v2/docForm/${A}/docResponse`, {});
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, state: 5 });
    const { data } = await run(move, { input: { document: A, action } });
    expect(dms.requests).toEqual([
      `POST /api/v2/docForm/${A}/docResponse`,
      `GET /api/v2/docForm/${A}?fields=_id,state`,
    ]);
    expect(bodies(dms.received)).toEqual([{ docResponse: { taskstatus } }]);
    expect(data).toMatchObject({ moveDocument: { document: { state: 5 } } });
  });

  it('returns no document after DELETE', async () => {
    const { dms, run } = createResolvers();
    dms.reply('POST', `/api/v2/docForm/${A}/docResponse`, {});
    const { data } = await run(move, { input: { document: A, action: 'DELETE' } });
    expect(bodies(dms.received)).toEqual([{ docResponse: { taskstatus: 111 } }]);
    expect(data).toEqual({ moveDocument: { __typename: 'MoveDocumentPayload', document: null } });
    expect(dms.requests).toHaveLength(1);
  });

  it('accepts the expected revision', async () => {
    const { dms, run } = createResolvers();
    let revision = 7;
    dms.reply('GET', `/api/v2/docForm/${A}`, () => ({
      _id: A,
      state: revision,
      _meta: { _rev: revision },
    }));
    dms.reply('POST', `/api/v2/docForm/${A}/docResponse`, () => ({ changed: (revision += 1) }));
    const { data } = await run(
      `mutation ($a: MoveDocumentInput!, $b: MoveDocumentInput!) {
        first: moveDocument(input: $a) { ... on MoveDocumentPayload { document { state meta { revision } } } }
        second: moveDocument(input: $b) { ... on MoveDocumentPayload { document { state meta { revision } } } }
      }`,
      {
        a: { document: A, action: 'SUSPEND', expectedRevision: 7 },
        b: { document: A, action: 'RESUME', expectedRevision: 8 },
      },
    );
    expect(data).toEqual({
      first: { document: { state: 8, meta: { revision: 8 } } },
      second: { document: { state: 9, meta: { revision: 9 } } },
    });
    expect(dms.requests.filter((line) => line.startsWith('POST'))).toHaveLength(2);
  });

  it('reads the revision again before each write', async () => {
    const { dms, run } = createResolvers();
    let revision = 7;
    dms.reply('GET', `/api/v2/docForm/${A}`, () => ({ _id: A, _meta: { _rev: (revision += 1) } }));
    dms.reply('POST', `/api/v2/docForm/${A}/docResponse`, {});
    const { data } = await run(
      `mutation ($a: MoveDocumentInput!, $b: MoveDocumentInput!) {
        first: moveDocument(input: $a) { __typename }
        second: moveDocument(input: $b) { __typename }
      }`,
      {
        a: { document: A, action: 'SUSPEND', expectedRevision: 7 },
        b: { document: A, action: 'SUSPEND', expectedRevision: 9 },
      },
    );
    expect(data).toEqual({
      first: { __typename: 'ConflictError' },
      second: { __typename: 'MoveDocumentPayload' },
    });
  });

  it('rejects an outdated revision after one read', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', `/api/v2/docForm/${A}`, { _id: A, _meta: { _rev: 8 } });
    const { data } = await run(move, {
      input: { document: A, action: 'SUSPEND', expectedRevision: 7 },
    });
    expect(data).toEqual({
      moveDocument: {
        __typename: 'ConflictError',
        message:
          'The document has changed: its revision is 8, not 7. Read it again before you retry.',
        expectedRevision: 7,
        actualRevision: 8,
      },
    });
    expect(dms.requests).toEqual([`GET /api/v2/docForm/${A}?fields=_id,_meta`]);
  });
});

describe('reference data', () => {
  const cases = [
    {
      name: 'upsertOrganization',
      input: {
        id: globalId('Organization', A),
        externalId: 'ext-1',
        governmentId: 'gov-1',
        name: 'ACME',
        nameExt: ['Acme'],
        notes: '',
        owner: 'usr-ann',
        areaId: B,
        typeId: globalId('ListValue', C),
      },
      request: 'POST /api/v2/crm/org',
      body: {
        _id: A,
        _id_ext: 'ext-1',
        govId: 'gov-1',
        name: 'ACME',
        nameExt: ['Acme'],
        notes: '',
        owner: 'usr-ann',
        areaId: B,
        typeId: C,
      },
      answer: { _id: A, name: 'ACME' },
      selection: '... on UpsertOrganizationPayload { organization { fullId name } }',
      payload: { organization: { fullId: A, name: 'ACME' } },
      role: 'elAdminCrmRW',
    },
    {
      name: 'upsertListValue',
      input: {
        id: B,
        directory: A,
        externalId: 'n',
        status: 1,
        value: [
          { language: 'en', text: 'North' },
          { language: 'de', text: 'Nord' },
        ],
      },
      request: 'POST /api/v2/listValue',
      body: { _id: B, _id_kf: A, _id_ext: 'n', status: 1, value: { en: 'North', de: 'Nord' } },
      answer: { _id: B, _id_kf: A, value: { en: 'North' } },
      selection: '... on UpsertListValuePayload { listValue { value parent { fullId } } }',
      payload: { listValue: { value: 'North', parent: { fullId: A } } },
      role: 'elAdminDocRW',
    },
    {
      name: 'updatePerson',
      input: {
        id: 'usr-ann',
        password: 'secret',
        firstName: 'Ann',
        middleName: 'B',
        lastName: 'Lee',
        officePhone: '1',
        mobilePhone: '2',
        unitName: 'Sales',
        deputy: { person: 'usr-bob', enabled: true },
      },
      request: 'POST /api/v2/person',
      body: {
        _id_sys: 'usr-ann',
        pwd: 'secret',
        name_first: 'Ann',
        name_mid: 'B',
        name_last: 'Lee',
        phone_office: '1',
        phone_mobile: '2',
        unit: 'Sales',
        deputy: { id: 'usr-bob', enabled: 'true' },
      },
      answer: { _id_sys: 'usr-ann', name_first: 'Ann' },
      selection: '... on UpdatePersonPayload { person { systemId fullName } }',
      payload: { person: { systemId: 'usr-ann', fullName: 'Ann' } },
      role: 'elAdminSysRW',
    },
    {
      name: 'upsertOrgUnit',
      input: { id: 'unit00ff', name: 'Sales', head: 'usr-ann', members: ['usr-ann', 'usr-bob'] },
      request: 'POST /api/v2/orgUnit',
      body: {
        _id_sys: 'unit00ff',
        name: 'Sales',
        elhead: 'usr-ann',
        elmembers: ['usr-ann', 'usr-bob'],
      },
      answer: { _id_sys: 'unit00ff', name: 'Sales' },
      selection: '... on UpsertOrgUnitPayload { orgUnit { name } }',
      payload: { orgUnit: { name: 'Sales' } },
      role: 'elAdminSysRW',
    },
  ];

  describe.each(cases)(
    '$name',
    ({ name, input, request, body, answer, selection, payload, role }) => {
      const type = name[0]!.toUpperCase() + name.slice(1);
      const mutation = `mutation ($input: ${type}Input!) { ${name}(input: $input) { ${FAILURES} ${selection} } }`;
      const path = request.slice('POST '.length);

      it('sends the input and returns the stored object', async () => {
        const { dms, run } = createResolvers();
        dms.reply('POST', path, answer);
        const { data } = await run(mutation, { input });
        expect(dms.requests).toEqual([request]);
        expect(bodies(dms.received)).toEqual([body]);
        expect(data).toEqual({ [name]: { __typename: `${type}Payload`, ...payload } });
      });

      it.each([
        [403, { __typename: 'ForbiddenError', requiredRole: role }],
        [404, { __typename: 'NotFoundError' }],
        [422, { __typename: 'NothingChangedError' }],
        [400, { __typename: 'ValidationError', issues: [] }],
      ])('turns %i into data with the reason of the DMS', async (status, expected) => {
        const { dms, run } = createResolvers();
        dms.reply('POST', path, 'null', { status, headers: { 'x-error': 'the list is closed' } });
        const { data, errors } = await run(mutation, { input });
        expect(errors).toBeUndefined();
        expect(data).toMatchObject({ [name]: { ...expected, message: 'the list is closed' } });
        expect(dms.requests).toEqual([request]);
      });

      it.each([
        [401, 'UNAUTHENTICATED'],
        [500, 'UPSTREAM_ERROR'],
        [503, 'UPSTREAM_UNAVAILABLE'],
      ])('turns %i into the error %s without retry', async (status, code) => {
        const { dms, run } = createResolvers({ settings: { DMS_RETRIES: 2 } });
        dms.reply('POST', path, 'secret inside', { status });
        const { codes } = await run(mutation, { input });
        expect(codes).toEqual([code]);
        expect(dms.requests).toEqual([request]);
      });
    },
  );

  it.each([true, false])('sends whether a deputy is enabled: %s', async (enabled) => {
    const { dms, run } = createResolvers();
    dms.reply('POST', '/api/v2/person', { _id_sys: 'usr-ann' });
    await run(
      `mutation { updatePerson(input: { id: "usr-ann", lastName: "", deputy: { person: "usr-bob", enabled: ${enabled} } }) { __typename } }`,
    );
    const deputy = { id: 'usr-bob', enabled: String(enabled) };
    expect(bodies(dms.received)).toEqual([{ _id_sys: 'usr-ann', name_last: '', deputy }]);
  });

  it('reports an empty change', async () => {
    const { dms, run } = createResolvers();
    const { data } = await run(
      `mutation { upsertOrganization(input: { name: null }) { ${FAILURES} } }`,
    );
    expect(data).toMatchObject({
      upsertOrganization: { issues: [{ path: [], message: 'Set at least one field.' }] },
    });
    expect(dms.requests).toEqual([]);
  });

  it('checks every ID and language', async () => {
    const { dms, run } = createResolvers();
    const { data } = await run(
      `mutation {
        a: upsertOrgUnit(input: { head: "ann", members: ["usr-a", "b"] }) { ... on ValidationError { issues { path } } }
        b: upsertListValue(input: { id: "x", directory: "sizes", value: [{ language: "e", text: "" }, { language: "en", text: "" }, { language: "en", text: "" }] }) { ... on ValidationError { issues { path } } }
        c: updatePerson(input: { id: "usr-a", password: "", deputy: { person: "b", enabled: true } }) { ... on ValidationError { issues { path } } }
        d: upsertOrganization(input: { id: "D-1", owner: "bob", areaId: "x" }) { ... on ValidationError { issues { path } } }
      }`,
    );
    const paths = Object.values(data as Record<string, { issues: { path: string[] }[] }>).map(
      ({ issues }) => issues.map(({ path }) => path.join('.')),
    );
    expect(paths).toEqual([
      ['head', 'members.1'],
      ['id', 'directory', 'value.0.language', 'value.2.language'],
      ['deputy.person', 'password'],
      ['id', 'owner', 'areaId'],
    ]);
    expect(dms.requests).toEqual([]);
  });

  it('stops at the hundredth issue', async () => {
    const { dms, run } = createResolvers();
    const { data } = await run(
      `mutation ($input: UpsertOrgUnitInput!) { upsertOrgUnit(input: $input) { ${FAILURES} } }`,
      { input: { members: Array.from({ length: 150 }, () => 'ann') } },
    );
    const { message, issues } = (
      data as { upsertOrgUnit: { message: string; issues: { path: string[] }[] } }
    ).upsertOrgUnit;
    expect(message).toMatch(/^`members\.0` must be .* \(and 99 more\)$/);
    expect(issues.map(({ path }) => path[1])).toEqual(
      Array.from({ length: 100 }, (_, i) => `${i}`),
    );
    expect(dms.requests).toEqual([]);
  });

  it('sends external IDs unchanged', async () => {
    const { dms, run } = createResolvers();
    dms.reply('POST', '/api/v2/crm/org', { _id: A });
    dms.reply('POST', '/api/v2/listValue', { _id: B });
    dms.reply('POST', '/api/v2/orgUnit', { _id_sys: 'Цех № 5' });
    const { data } = await run(
      `mutation {
        a: upsertOrganization(input: { externalId: "Müller & Söhne, #7?", governmentId: "ИНН 77+1" }) { __typename }
        b: upsertListValue(input: { externalId: "a,b;c 100 %" }) { __typename }
        c: upsertOrgUnit(input: { id: "Цех № 5" }) { ... on UpsertOrgUnitPayload { orgUnit { id systemId } } }
      }`,
    );
    expect(data).toEqual({
      a: { __typename: 'UpsertOrganizationPayload' },
      b: { __typename: 'UpsertListValuePayload' },
      c: { orgUnit: { id: globalId('OrgUnit', 'Цех № 5'), systemId: 'Цех № 5' } },
    });
    expect(bodies(dms.received)).toEqual([
      { _id_ext: 'Müller & Söhne, #7?', govId: 'ИНН 77+1' },
      { _id_ext: 'a,b;c 100 %' },
      { _id_sys: 'Цех № 5' },
    ]);
  });

  it('rejects invalid external IDs', async () => {
    const { dms, run } = createResolvers();
    const wanted = `... on ValidationError { issues { path message } }`;
    const { data } = await run(
      `mutation ($half: String) {
        a: upsertOrganization(input: { externalId: "", governmentId: "a/b" }) { ${wanted} }
        b: upsertListValue(input: { externalId: "a\\nb" }) { ${wanted} }
        c: upsertOrganization(input: { externalId: "%2e%2E", governmentId: ".." }) { ${wanted} }
        d: upsertOrganization(input: { externalId: " ", governmentId: $half }) { ${wanted} }
      }`,
      { half: '\ud800' },
    );
    const issue = (name: string) => ({
      path: [name],
      message: `\`${name}\` must be omitted or be ${ID_RULE}.`,
    });
    expect(data).toEqual({
      a: { issues: [issue('externalId'), issue('governmentId')] },
      b: { issues: [issue('externalId')] },
      c: { issues: [issue('externalId'), issue('governmentId')] },
      d: { issues: [issue('externalId'), issue('governmentId')] },
    });
    expect(dms.requests).toEqual([]);
  });
});

describe('deleteOrganization', () => {
  const remove = (id: string) =>
    `mutation { deleteOrganization(input: { id: "${id}" }) { ${FAILURES} ... on DeleteOrganizationPayload { deletedId } } }`;

  it('deletes by full ID', async () => {
    const { dms, run } = createResolvers();
    dms.reply('DELETE', `/api/v2/crm/org/${A}`, null);
    const { data } = await run(remove(globalId('Organization', A)));
    expect(data).toMatchObject({
      deleteOrganization: { deletedId: globalId('Organization', A) },
    });
    expect(dms.requests).toEqual([`DELETE /api/v2/crm/org/${A}`]);
  });

  it('resolves other IDs to the full ID', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', '/api/v2/crm/org/gov-1', { _id: A });
    dms.reply('GET', '/api/v2/crm/org/gov-2', {}, { status: 404 });
    dms.reply('DELETE', `/api/v2/crm/org/${A}`, null);
    expect((await run(remove('gov-1'))).data).toMatchObject({
      deleteOrganization: { deletedId: globalId('Organization', A) },
    });
    expect((await run(remove('gov-2'))).data).toMatchObject({
      deleteOrganization: { __typename: 'NotFoundError' },
    });
    expect(dms.requests).toEqual([
      'GET /api/v2/crm/org/gov-1',
      `DELETE /api/v2/crm/org/${A}`,
      'GET /api/v2/crm/org/gov-2',
    ]);
  });

  it('resolves other IDs anew if the organization is cached', async () => {
    const { dms, run } = createResolvers({ settings: { CACHE_TTL_MS: 60_000 } });
    dms.reply('GET', '/api/v2/crm/org/gov-1', { _id: A });
    dms.reply('DELETE', /crm\/org/, null);
    expect((await run('{ organization(id: "gov-1") { fullId } }')).data).toEqual({
      organization: { fullId: A },
    });
    dms.reply('GET', '/api/v2/crm/org/gov-1', { _id: B }); // assigned to another organization
    expect((await run(remove('gov-1'))).data).toMatchObject({
      deleteOrganization: { deletedId: globalId('Organization', B) },
    });
    expect(dms.requests).toEqual([
      'GET /api/v2/crm/org/gov-1',
      'GET /api/v2/crm/org/gov-1',
      `DELETE /api/v2/crm/org/${B}`,
    ]);
  });
});

describe('documents', () => {
  const writes = [
    {
      name: 'createDocument',
      query: create,
      input: { form: 'invoice' },
      request: 'POST /api/v2/docForm/form/invoice',
    },
    {
      name: 'respondToDocument',
      query: respond,
      input: { document: A, response: B, action: 'SIGN' },
      request: `PUT /api/v2/docForm/${A}/docResponse/${B}`,
    },
    {
      name: 'moveDocument',
      query: move,
      input: { document: A, action: 'BLOCK' },
      request: `POST /api/v2/docForm/${A}/docResponse`,
    },
  ];

  describe.each(writes)('$name', ({ name, query, input, request }) => {
    const [method, path] = request.split(' ') as [string, string];

    it.each([
      [403, {}, 'ForbiddenError'],
      [404, {}, 'NotFoundError'],
      [422, {}, 'NothingChangedError'],
      [400, { 'x-error': 'no' }, 'ValidationError'],
    ])('turns %i into data', async (status, headers, expected) => {
      const { dms, run } = createResolvers();
      dms.reply(method, path, {}, { status, headers });
      const { data, errors } = await run(query, { input });
      expect(errors).toBeUndefined();
      expect(data).toMatchObject({ [name]: { __typename: expected } });
      expect(dms.requests).toEqual([request]);
    });
  });
});

describe('several mutations in one operation', () => {
  const moved = (alias: string, id: string) =>
    `${alias}: moveDocument(input: { document: "${id}", action: SUSPEND }) {
      ... on MoveDocumentPayload { document { meta { revision } } } }`;
  const readOf = (id: string) => `GET /api/v2/docForm/${id}?fields=_id,_meta`;
  const writeOf = (id: string) => `POST /api/v2/docForm/${id}/docResponse`;

  it('run in sequence, each with fresh reads', async () => {
    const { dms, run } = createResolvers();
    let revision = 1;
    dms.reply('POST', `/api/v2/docForm/${A}/docResponse`, async () => {
      await Promise.resolve();
      revision += 1;
      return {};
    });
    dms.reply('GET', `/api/v2/docForm/${A}`, () => ({ _id: A, _meta: { _rev: revision } }));
    const { data } = await run(`mutation { ${moved('a', A)} ${moved('b', A)} }`);
    expect(data).toEqual({
      a: { document: { meta: { revision: 2 } } },
      b: { document: { meta: { revision: 3 } } },
    });
    expect(dms.requests).toEqual([writeOf(A), readOf(A), writeOf(A), readOf(A)]);
  });

  it('end with the first top-level error', async () => {
    const { dms, run } = createResolvers();
    dms.reply('POST', `/api/v2/docForm/${A}/docResponse`, '', { status: 502 });
    dms.reply('POST', `/api/v2/docForm/${B}/docResponse`, {});
    const { data, codes } = await run(`mutation { ${moved('a', A)} ${moved('b', B)} }`);
    expect(data).toBeNull();
    expect(codes).toEqual(['OUTCOME_UNKNOWN']);
    expect(dms.requests).toEqual([writeOf(A)]);
  });
});
