import { describe, expect, it, vi } from 'vitest';
import { DocumentLoader } from '../../src/loaders/document-loader.ts';
import type {
  DocumentRequirement,
  DocumentRequirements,
} from '../../src/model/document-requirements.ts';
import type { Document } from '../../src/model/document.ts';
import { RestError } from '../../src/rest/client/rest-error.ts';

const FULL = '5f0000000000000000000001';
const OTHER = '5f0000000000000000000002';

const needs = (...names: DocumentRequirement[]): DocumentRequirements => new Set(names);

/** A loader of a DMS with one document under two IDs, and the requested reads. They end after `answered`. */
function loaderOver(
  answers: Record<string, Document | Error> = {},
  answered: Promise<void> = Promise.resolve(),
) {
  const calls: string[] = [];
  const dms: Record<string, Document | Error> = {
    [FULL]: { fullId: FULL, state: 1, step: 2, tags: ['a'] },
    'D-1': { fullId: FULL, state: 1, step: 2, tags: ['a'] },
    [OTHER]: { fullId: OTHER, state: 9 },
    ...answers,
  };
  const loader = new DocumentLoader(async (id, wanted) => {
    calls.push(`${id} ${[...wanted].toSorted().join(',')}`);
    await answered;
    const answer = dms[id];
    if (answer instanceof Error) throw answer;
    if (answer === undefined) throw new RestError('NOT_FOUND', `GET ${id}`, { status: 404 });
    return answer;
  });
  return { loader, calls, dms };
}

describe('one tick', () => {
  it('reads a full ID without a matching short ID', async () => {
    const { loader, calls } = loaderOver();
    const [a, b] = await Promise.all([
      loader.load('D-1', needs('step')),
      loader.load(OTHER, needs('state')),
    ]);
    expect(calls).toEqual(['D-1 state,step', `${OTHER} state`]);
    expect([a?.fullId, b?.fullId]).toEqual([FULL, OTHER]);
  });

  it('reads a response only for its own document', async () => {
    const { loader, calls } = loaderOver({
      'D-1': { fullId: FULL, state: 1, response: null },
    });
    await Promise.all([
      loader.load('D-1', needs('state')),
      loader.load(OTHER, needs('response', 'response.state')),
    ]);
    expect(calls).toEqual(['D-1 state', `${OTHER} response,response.state`]);
  });

  it('reads full IDs if a short one fails', async () => {
    const { loader, calls } = loaderOver({ 'D-1': new RestError('UPSTREAM_ERROR', 'GET D-1') });
    const [short, full] = await Promise.allSettled([
      loader.load('D-1', needs('step')),
      loader.load(OTHER, needs('state')),
    ]);
    expect(calls).toEqual(['D-1 state,step', `${OTHER} state`]);
    expect(short.status).toBe('rejected');
    expect(full).toMatchObject({ status: 'fulfilled', value: { fullId: OTHER } });
  });
});

describe('a later load', () => {
  it('waits for pending reads and reads the rest', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { loader, calls } = loaderOver({}, answered);
    const first = loader.load(FULL, needs('state'));
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    const second = loader.load(FULL, needs('state', 'tags'));
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    answer();
    expect(await first).toMatchObject({ state: 1 });
    expect(await second).toMatchObject({ state: 1, tags: ['a'] });
    expect(calls).toEqual([`${FULL} state`, `${FULL} tags`]);
  });

  it('remembers the full id of a short id', async () => {
    const { loader, calls } = loaderOver();
    await loader.load('D-1', needs('state'));
    await loader.load(FULL, needs('state'));
    await loader.load('D-1', needs('tags'));
    expect(calls).toEqual(['D-1 state', `${FULL} tags`]);
  });

  it('reads the entity of a missing property again', async () => {
    const { loader, calls, dms } = loaderOver();
    dms[FULL] = {
      fullId: FULL,
      recoData: [{ documentId: FULL, id: 'r1', validated: true, result: { confidence: 1 } }],
    };
    await loader.load(
      FULL,
      needs('recoData', 'recoData.validated', 'recoData.result', 'recoData.result.confidence'),
    );
    dms[FULL] = {
      fullId: FULL,
      recoData: [{ documentId: FULL, id: 'r1', pageIndexEnd: 3, result: { form: null } }],
    };
    const document = await loader.load(
      FULL,
      needs('recoData', 'recoData.pageIndexEnd', 'recoData.result', 'recoData.result.form'),
    );
    expect(calls[1]).toBe(
      `${FULL} recoData,recoData.pageIndexEnd,recoData.result,recoData.result.form`,
    );
    expect(document?.recoData).toEqual([
      {
        documentId: FULL,
        id: 'r1',
        validated: true,
        pageIndexEnd: 3,
        result: { confidence: 1, form: null },
      },
    ]);
  });

  it('keeps properties that a full ID had before a short one was read', async () => {
    const { loader, calls } = loaderOver();
    await loader.load(FULL, needs('tags'));
    expect(await loader.load('D-1', needs('state'))).toMatchObject({ state: 1, tags: ['a'] });
    await loader.load(FULL, needs('tags', 'state'));
    expect(calls).toEqual([`${FULL} tags`, 'D-1 state']);
  });

  it('keeps extra properties, and nothing of another response', async () => {
    const { loader, dms } = loaderOver();
    dms[FULL] = { fullId: FULL, extra: { a: 1 }, response: { fullId: 'r1', state: 1 } };
    await loader.load(FULL, needs('extra:a', 'response', 'response.state'));
    dms[FULL] = { fullId: FULL, extra: { b: 2 }, response: { fullId: 'r2', step: 2 } };
    expect(await loader.load(FULL, needs('extra:b', 'response', 'response.step'))).toEqual({
      fullId: FULL,
      extra: { a: 1, b: 2 },
      response: { fullId: 'r2', step: 2 },
    });
  });

  it('does not change objects that are in use', async () => {
    const { loader, dms } = loaderOver();
    dms[FULL] = { fullId: FULL, state: 1 };
    const before = await loader.load(FULL, needs('state'));
    dms[FULL] = { fullId: FULL, step: 2 };
    await loader.load(FULL, needs('step'));
    expect(before).toEqual({ fullId: FULL, state: 1 });
  });
});

describe('failures', () => {
  it('requests a missing document once until clear', async () => {
    const { loader, calls, dms } = loaderOver();
    await loader.load('D-9', needs('state'));
    expect(await loader.load('D-9', needs('step'))).toBeNull();
    expect(calls).toEqual(['D-9 state']);
    dms['D-9'] = { fullId: OTHER, state: 9 };
    loader.clear();
    expect(await loader.load('D-9', needs('state'))).toMatchObject({ state: 9 });
  });

  it('reads a missing document that a page contains', async () => {
    const { loader, calls, dms } = loaderOver();
    const id = '5f0000000000000000000003';
    await loader.load(id, needs('state'));
    dms[id] = { fullId: id, step: 2 };
    loader.prime([{ fullId: id, state: 1 }], needs('state'));
    expect(await loader.load(id, needs('step'))).toEqual({ fullId: id, state: 1, step: 2 });
    expect(calls).toEqual([`${id} state`, `${id} step`]);
  });

  it('reads a document whose response was not found', async () => {
    const { loader, calls, dms } = loaderOver();
    const found = dms[FULL]!;
    dms[FULL] = new RestError('NOT_FOUND', 'GET', { status: 404 });
    expect(await loader.load(FULL, needs('response'))).toBeNull();
    dms[FULL] = found;
    expect(await loader.load(FULL, needs('state'))).toMatchObject({ state: 1 });
    expect(calls).toEqual([`${FULL} response`, `${FULL} state`]);
  });

  it('rejects all pending loads and is not cached', async () => {
    const { loader, calls, dms } = loaderOver({ [FULL]: new RestError('UPSTREAM_ERROR', 'GET') });
    const both = await Promise.allSettled([
      loader.load(FULL, needs('state')),
      loader.load(FULL, needs('step')),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    dms[FULL] = { fullId: FULL, state: 1 };
    expect(await loader.load(FULL, needs('state'))).toMatchObject({ state: 1 });
    expect(calls).toEqual([`${FULL} state,step`, `${FULL} state`]);
  });
});

describe('clear', () => {
  it('reads everything again', async () => {
    const { loader, calls, dms } = loaderOver();
    await loader.load(FULL, needs('state'));
    loader.clear();
    dms[FULL] = { fullId: FULL, state: 5 };
    expect(await loader.load(FULL, needs('state'))).toMatchObject({ state: 5 });
    expect(calls).toHaveLength(2);
  });

  it.each([FULL, 'D-1'])('discards reads of %s that began earlier', async (id) => {
    const { promise: released, resolve: release } = Promise.withResolvers<Document>();
    const reads = [released, Promise.resolve({ fullId: FULL, state: 2 })];
    const loader = new DocumentLoader(() => reads.shift()!);
    const old = loader.load(id, needs('state'));
    await new Promise((resolve) => process.nextTick(resolve));
    loader.clear();
    release({ fullId: FULL, state: 1 });
    expect(await old).toMatchObject({ state: 1 });
    expect(await loader.load(FULL, needs('state'))).toMatchObject({ state: 2 });
  });
});
