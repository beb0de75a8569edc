import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/ids.ts';
import {
  documentA as a,
  documentB as b,
  documentC as c,
  pollOfInbox,
  readOf,
  startLive,
  startSubscriber,
} from './live-gateway.ts';
import { subscribe } from '../../helpers/subscriber.ts';

const changes = (first: number, selection = 'fullId state') => `subscription {
  documentsChanged(first: ${first}) { added { ${selection} } changed { ${selection} } removedIds }
}`;
const readOfInbox = (pageSize: number): string =>
  `GET /api/v2/docForm/view/inbox?first=0&pageSize=${pageSize}&fields=_id,state`;
const eventOf = (event: object) => ({
  data: { documentsChanged: { added: [], changed: [], removedIds: [], ...event } },
});

async function startWithTwo(query = changes(2)) {
  const live = await startLive();
  live.change(b, 5);
  const subscriber = await startSubscriber(live.gateway, query);
  return { ...live, ...subscriber };
}

describe('documentsChanged', () => {
  it('begins with all documents, in two calls', async () => {
    const { results, requests } = await startWithTwo();
    expect(results).toEqual([
      eventOf({
        added: [
          { fullId: a, state: 1 },
          { fullId: b, state: 5 },
        ],
      }),
    ]);
    expect(requests).toEqual([pollOfInbox(2), readOfInbox(2)]);
  });

  it('watches 20 documents of the inbox by default', async () => {
    const { requests } = await startWithTwo('subscription { documentsChanged { removedIds } }');
    expect(requests).toEqual([pollOfInbox(20)]);
  });

  it('watches a filtered view, and shares the poll of equal ones', async () => {
    const { gateway, dms, poll, requests } = await startLive();
    dms.reply('GET', /view\/archive/, []);
    const query = `subscription { documentsChanged(view: ARCHIVE, filter: { tags: ["x", "y"], state: 3 }, first: 5) { removedIds } }`;
    for (const _ of [1, 2]) await startSubscriber(gateway, query);
    await poll();
    const path =
      '/api/v2/docForm/view/archive?first=0&pageSize=5&state=3&tags=x,y&fields=_id,_meta';
    expect(requests).toEqual([`GET ${path}`, `GET ${path}`]);
  });

  it('polls each view, filter and number of documents', async () => {
    const { gateway, dms, poll, requests } = await startLive();
    dms.reply('GET', /view\//, []);
    const all = ['view: ALL', 'view: ARCHIVE', 'view: ALL, filter: { state: 3 }'].flatMap((list) =>
      [5, 6].map(
        (first) => `subscription { documentsChanged(${list}, first: ${first}) { removedIds } }`,
      ),
    );
    for (const query of all) {
      await startSubscriber(gateway, query);
    }
    requests.splice(0);
    await poll();
    const pathOf = (view: string, first: number, filter = ''): string =>
      `GET /api/v2/docForm/view/${view}?first=0&pageSize=${first}${filter}&fields=_id,_meta`;
    expect(requests.toSorted()).toEqual(
      [5, 6]
        .flatMap((first) => [
          pathOf('all', first),
          pathOf('archive', first),
          pathOf('all', first, '&state=3'),
        ])
        .toSorted(),
    );
  });

  it('sends what changed, and reads one changed document alone', async () => {
    const { results, requests, change, poll } = await startWithTwo();
    requests.splice(0);
    await poll();
    expect(requests.splice(0)).toEqual([pollOfInbox(2)]);
    change(b, 6);
    await poll();
    await expect.poll(() => results).toHaveLength(2);
    expect(results[1]).toEqual(eventOf({ changed: [{ fullId: b, state: 6 }] }));
    expect(requests).toEqual([pollOfInbox(2), readOf(b)]);
  });

  it('sends what is added and removed together, and reads several as a page', async () => {
    const { results, requests, documents, change, poll } = await startWithTwo();
    requests.splice(0);
    documents.delete(a);
    change(b, 6);
    change(c, 7);
    await poll();
    await expect.poll(() => results).toHaveLength(2);
    expect(results[1]).toEqual(
      eventOf({
        added: [{ fullId: c, state: 7 }],
        changed: [{ fullId: b, state: 6 }],
        removedIds: [toGlobalId('Document', a)],
      }),
    );
    expect(requests).toEqual([pollOfInbox(2), readOfInbox(2)]);
  });

  it('reads nothing if only IDs are selected', async () => {
    const { results, requests, change, poll } = await startWithTwo(changes(3, 'id'));
    change(c, 1);
    await poll();
    await expect.poll(() => results).toHaveLength(2);
    expect(results[1]).toEqual(eventOf({ added: [{ id: toGlobalId('Document', c) }] }));
    expect(requests).toEqual([pollOfInbox(3), pollOfInbox(3)]);
  });

  it('sends a new total, but no new order', async () => {
    const { dms, clock, gateway, poll } = await startLive();
    let ids = [a, b];
    let total = 7;
    dms.reply('GET', /view/, () => ids.map((_id) => ({ _id, _meta: { _rev: 1 } })), {
      headers: { 'svc-total-count': '7' },
    });
    const query = 'subscription { documentsChanged { totalCount added { id } removedIds } }';
    const { results } = await startSubscriber(gateway, query);
    ids = [b, a];
    await poll();
    total = 8;
    dms.reply('GET', /view/, () => ids.map((_id) => ({ _id, _meta: { _rev: 1 } })), {
      headers: { 'svc-total-count': String(total) },
    });
    await poll();
    await expect.poll(() => results).toHaveLength(2);
    expect(results[1]).toEqual({
      data: { documentsChanged: { totalCount: 8, added: [], removedIds: [] } },
    });
    expect(clock.waits()).toEqual([5000]);
  });

  it('leaves out a document that is deleted before it is read, and removes it later', async () => {
    const { dms, results, change, documents, poll } = await startWithTwo();
    dms.reply('GET', `/api/v2/docForm/${b}`, '', { status: 404 });
    change(b, 6);
    await poll();
    await expect.poll(() => results).toHaveLength(2);
    expect(results[1]).toEqual(eventOf({}));
    documents.delete(b);
    await poll();
    await expect.poll(() => results).toHaveLength(3);
    expect(results[2]).toEqual(eventOf({ removedIds: [toGlobalId('Document', b)] }));
  });

  it('shows a document that the caller creates or moves at once', async () => {
    const { gateway, dms, change, results, documents } = await startWithTwo(changes(3));
    dms.reply('POST', /docResponse/, () => {
      documents.delete(b);
      change(c, 1);
      return '';
    });
    await gateway.query(
      `mutation { moveDocument(input: { document: "${b}", action: BLOCK }) { __typename } }`,
    );
    await expect.poll(() => results).toHaveLength(2);
    expect(results[1]).toEqual(
      eventOf({ added: [{ fullId: c, state: 1 }], removedIds: [toGlobalId('Document', b)] }),
    );
  });

  it('ends with the code when access is lost', async () => {
    const { dms, results, clock, isComplete } = await startWithTwo();
    dms.reply('GET', /view/, '', { status: 401 });
    clock.advance(5000);
    await expect.poll(() => isComplete()).toBe(true);
    expect(results[1]).toMatchObject({
      data: null,
      errors: [{ path: ['documentsChanged'], extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(clock.waits()).toEqual([]);
  });

  it('goes on after 404, which says nothing about the documents', async () => {
    const { dms, results, clock, isComplete } = await startWithTwo();
    dms.reply('GET', /view/, '', { status: 404 });
    clock.advance(5000);
    await expect.poll(() => clock.waits()).toEqual([10_000]);
    expect(isComplete()).toBeUndefined();
    dms.reply('GET', /view/, [{ _id: a, _meta: { _rev: 1 } }]);
    clock.advance(10_000);
    await expect
      .poll(() => results[1])
      .toMatchObject({
        data: { documentsChanged: { removedIds: [toGlobalId('Document', b)] } },
      });
  });

  it('reads no more of a page than it watches', async () => {
    const { gateway, dms } = await startLive();
    const ids = Array.from({ length: 2000 }, (_, i) => i.toString(16).padStart(24, '0'));
    dms.reply(
      'GET',
      /view/,
      ids.map((_id) => ({ _id, _meta: { _rev: 1 }, junk: 'x'.repeat(3000) })),
    );
    const { results } = await startSubscriber(
      gateway,
      'subscription { documentsChanged(first: 2) { added { fullId } } }',
    );
    expect(results[0].data.documentsChanged.added).toHaveLength(2);
  });

  it.each([
    ['first: 0', 'first'],
    ['filter: { forms: ["a/b"] }', 'filter.forms'],
  ])('is rejected with %s before anything is sent', async (args, name) => {
    const { gateway, requests, clock } = await startLive();
    const query = `subscription { documentsChanged(${args}) { removedIds } }`;
    const { results, isComplete } = await subscribe(gateway, query);
    await expect.poll(() => isComplete()).toBe(true);
    expect(results).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]);
    expect(results[0].errors[0].message).toContain(`\`${name}`);
    expect(requests).toEqual([]);
    expect(clock.waits()).toEqual([]);
  });
});
