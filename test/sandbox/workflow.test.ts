import { describe, expect, it } from 'vitest';
import type { Answer, Wire } from './helpers.ts';
import { create, sharedSandbox } from './helpers.ts';

const dms = sharedSandbox();

const invoice = { docForm: { valuesByTags: { number: 'RE-1', supplier: 'x' } } };

async function move(id: string, taskstatus: number, as?: string): Promise<Answer> {
  return dms.call(`/api/v2/docForm/${id}/docResponse`, {
    method: 'POST',
    body: { docResponse: { taskstatus } },
    ...(as === undefined ? {} : { as }),
  });
}

async function responseId(id: string, as?: string): Promise<string> {
  const at = `/api/v2/docForm/${id}?fields=_id&embed=docResponse`;
  const { body } = await dms.call<{ docResponse: Wire }>(at, as === undefined ? {} : { as });
  return String(body.docResponse._id);
}

async function answer(id: string, body: unknown, as?: string, respId?: string): Promise<Answer> {
  return dms.call(`/api/v2/docForm/${id}/docResponse/${respId ?? (await responseId(id, as))}`, {
    method: 'PUT',
    body,
    ...(as === undefined ? {} : { as }),
  });
}

const act = (taskstatus: number) => ({ docResponse: { taskstatus } });
const place = ({ status, body }: Answer) => [status, body.state, body.step, body.status];

describe('the workflow', () => {
  it('moves an invoice through every stage', async () => {
    const id = await create(dms, 'invoice', invoice);
    expect(place(await move(id, 100))).toEqual([200, 10, 1, 2]);
    expect(place(await answer(id, act(2)))).toEqual([200, 10, 1, 2]);
    expect(place(await answer(id, act(2), 'usr-ann'))).toEqual([200, 10, 2, 2]);
    expect(place(await answer(id, act(3), 'usr-bob'))).toEqual([200, 30, 1, 2]);
    expect(place(await answer(id, act(5), 'usr-chen'))).toEqual([200, 40, 0, 7]);
  });

  it('signs after approval and publishes a policy', async () => {
    const docForm = { valuesByTags: { subject: 'Travel' } };
    const id = await create(dms, 'policy', { docForm, docResponse: { taskstatus: 100 } });
    await answer(id, act(2), 'usr-dina');
    expect(place(await answer(id, act(2), 'usr-maria'))).toEqual([200, 20, 1, 2]);
    expect(place(await answer(id, act(8), 'usr-maria'))).toEqual([200, 50, 0, 8]);
  });

  it('adds a task to the inbox and removes it', async () => {
    const total = async () =>
      (await dms.fetch('/api/v2/docForm/view/inbox', { as: 'usr-ann' })).headers.get(
        'svc-total-count',
      );
    const before = Number(await total());
    const id = await create(dms, 'invoice', invoice);
    await move(id, 100);
    expect(Number(await total())).toBe(before + 1);
    await move(id, 101);
    expect(Number(await total())).toBe(before);
    await move(id, 102);
    expect(Number(await total())).toBe(before + 1);
    await answer(id, act(4), 'usr-ann');
    expect(Number(await total())).toBe(before);
  });

  it('restarts a declined document in the next iteration', async () => {
    const id = await create(dms, 'invoice', { ...invoice, docResponse: { taskstatus: 100 } });
    expect(place(await answer(id, act(4)))).toEqual([200, 10, 1, 4]);
    expect((await move(id, 100)).status).toBe(422);
    const again = await move(id, 104);
    expect([...place(again), again.body.iteration]).toEqual([200, 10, 1, 2, 2]);
    expect((await answer(id, act(2))).status).toBe(200);
  });

  it.each([
    ['invoice', [106, 101, 102, 103, 104], [30, 60, 30, 70, 30]],
    ['contract', [105, 107, 108, 110], [20, 40, 50, 80]],
    ['memo', [108, 105, 106, 107], [50, 20, 30, 40]],
  ])('moves a document of %s by %j', async (form, actions, states) => {
    const values = { number: '1', supplier: 'x', partner: 'y', subject: 'z' };
    const id = await create(dms, form, { docForm: { valuesByTags: values } });
    const reached: unknown[] = [];
    for (const action of actions) reached.push((await move(id, action)).body.state);
    expect(reached).toEqual(states);
  });

  it('hides a deleted document', async () => {
    const id = await create(dms, 'memo');
    const { status, body } = await move(id, 111);
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 90, _meta: { _rev: 3 } });
    expect((await dms.call(`/api/v2/docForm/${id}`)).status).toBe(404);
    expect((await move(id, 104)).status).toBe(404);
  });

  it('increments the revision with every change', async () => {
    const id = await create(dms, 'invoice', invoice);
    const meta = async () => (await dms.call(`/api/v2/docForm/${id}?fields=_meta`)).body;
    expect(await meta()).toMatchObject({ _meta: { _rev: 1 } });
    await move(id, 100);
    const sent = await meta();
    expect(sent).toMatchObject({ _meta: { _rev: 2 } });
    expect((await move(id, 100)).status).toBe(422);
    expect(await meta()).toEqual(sent);
    await answer(id, act(2));
    expect(await meta()).toMatchObject({ _meta: { _rev: 3 } });
  });
});

describe('a response', () => {
  it('changes values and tags and stores its text', async () => {
    const id = await create(dms, 'invoice', { ...invoice, docResponse: { taskstatus: 100 } });
    const respId = await responseId(id);
    const lines = [
      ['Pos', 'Amount'],
      ['1', '10.00'],
    ];
    const body = {
      docForm: { valuesByTags: { total: '10.00', lines }, _tags: ['checked'] },
      docResponse: { taskstatus: 3, content: 'Amount put right — Betrag berichtigt' },
    };
    expect((await answer(id, body, undefined, respId)).status).toBe(200);
    const after = (await dms.call(`/api/v2/docForm/${id}?embed=valuesByTags`)).body;
    expect(after.valuesByTags).toEqual({ number: 'RE-1', supplier: 'x', total: '10.00', lines });
    expect(after._tags).toEqual(['checked']);
    const { body: response } = await dms.call(`/api/v2/docResponse/${respId}`);
    expect(response).toMatchObject({
      taskstatus: 3,
      status: 2,
      content: 'Amount put right — Betrag berichtigt',
      _meta: { _rev: 2 },
    });
  });

  it('is rejected in another phase or twice', async () => {
    const id = await create(dms, 'invoice', { ...invoice, docResponse: { taskstatus: 100 } });
    const respId = await responseId(id);
    const edits = { docForm: { valuesByTags: { number: 'changed' } } };
    const sign = await answer(id, { ...act(8), ...edits }, undefined, respId);
    expect(sign.status).toBe(422);
    expect(sign.headers.get('x-error')).toBe(
      'The action does not apply in phase 10 with status 2.',
    );
    expect((await answer(id, act(2), undefined, respId)).status).toBe(200);
    expect((await answer(id, act(2), undefined, respId)).status).toBe(422);
    const { body } = await dms.call(`/api/v2/docForm/${id}?embed=valuesByTags`);
    expect(body.valuesByTags).toEqual({ number: 'RE-1', supplier: 'x' });
  });

  it('is accepted only from its person', async () => {
    const id = await create(dms, 'invoice', { ...invoice, docResponse: { taskstatus: 100 } });
    const respId = await responseId(id, 'usr-ann');
    expect((await answer(id, act(2), undefined, respId)).status).toBe(403);
    expect((await answer(id, act(2), 'usr-eva', respId)).status).toBe(404);
    const other = await create(dms, 'memo');
    expect((await answer(other, act(2), undefined, respId)).status).toBe(404);
  });
});

describe('a phase action', () => {
  it('requires the initiator or an administrator', async () => {
    const id = await create(dms, 'memo', {}, 'usr-jonas');
    const asCarlos = await move(id, 100, 'usr-carlos');
    expect(asCarlos.status).toBe(404); // not visible before it is sent
    expect((await move(id, 100, 'usr-jonas')).status).toBe(200);
    const participant = await move(id, 103, 'usr-carlos');
    expect(participant.status).toBe(403);
    expect(participant.headers.get('x-error')).toBe('The role elAdminDocsRW is required.');
    const reader = await dms.call(`/api/v2/docForm/${id}/docResponse`, {
      method: 'POST',
      authorization: 'Bearer sandbox-reader',
      body: act(103),
    });
    expect(reader.status).toBe(403);
    expect((await move(id, 101, 'usr-hugo')).status).toBe(200);
    expect((await move(id, 102)).status).toBe(200);
  });

  it('requires mandatory fields', async () => {
    const id = await create(dms, 'invoice', { docForm: { valuesByTags: { number: '1' } } });
    const { status, headers, body } = await move(id, 100);
    expect(status).toBe(422);
    expect(headers.get('x-error')).toBe('Required fields are empty: supplier.');
    expect(body).toEqual({ error: 'Required fields are empty: supplier.' });
  });

  it.each([
    ['resuming a running document', [100, 102]],

    ['cancelling twice', [100, 103, 103]],
    ['blocking twice', [110, 110]],

    ['sending to a phase without participants', [105]],
  ])('changes nothing by %s', async (_name, actions) => {
    const id = await create(dms, 'invoice', invoice);
    const statuses: number[] = [];
    for (const action of actions) statuses.push((await move(id, action)).status);
    expect(statuses.pop()).toBe(422);
    expect(statuses.every((status) => status === 200)).toBe(true);
  });
});
