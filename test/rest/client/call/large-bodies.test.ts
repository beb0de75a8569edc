import { describe, expect, it } from 'vitest';
import { LargeBodies } from '../../../../src/rest/client/call/large-bodies.ts';
import { respondWith, startFailingDms } from '../../../helpers/failing-dms.ts';
import { dmsAt } from '../../../helpers/mock-dms.ts';

const patient = { http: { timeoutMs: 60_000 }, budget: { timeoutMs: 60_000 } };

const isFree = ({ ready }: { ready: unknown }): boolean => ready === undefined;

describe('large responses', () => {
  it('have few places, of which one caller gets half', async () => {
    const bodies = new LargeBodies(true);
    const ofAnn = [1, 2, 3].map(() => bodies.request('ann'));
    expect(ofAnn.map(isFree)).toEqual([true, true, false]);
    const ofBob = bodies.request('bob');
    expect(isFree(ofBob)).toBe(true);
    ofAnn[0]!.release();
    await ofAnn[2]!.ready;
  });

  it('free a place that nobody waits for any more', async () => {
    const bodies = new LargeBodies(false);
    const held = [1, 2, 3, 4].map(() => bodies.request('ann'));
    const cancelled = bodies.request('bob');
    const next = bodies.request('bob');
    const grantedAndReleased = bodies.request('bob');
    cancelled.release();
    await expect(cancelled.ready).rejects.toMatchObject({ code: 'CANCELLED' });
    held[0]!.release();
    await next.ready;
    held[1]!.release();
    grantedAndReleased.release(); // before its promise has settled
    await grantedAndReleased.ready;
    expect(isFree(bodies.request('bob'))).toBe(true);
  });

  it('arrive completely, however many there are', async () => {
    const members = Array.from({ length: 50_000 }, (_, nr) => `usr-${nr}`);
    const person = { _id_sys: 'usr-ann', members };
    await using dms = await startFailingDms(respondWith(200, `\uFEFF${JSON.stringify(person)}`));
    const { documents, persons } = dmsAt(dms, patient);
    const ids = Array.from({ length: 6 }, (_, nr) => `usr-${nr}`);
    const found = await Promise.all(ids.map((id) => persons.get(id)));
    expect(found.map(({ systemId }) => systemId)).toEqual(ids.map(() => 'usr-ann'));
    await expect(documents.get('64a0', new Set(['tags']))).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
    });
  });

  it('are not JSON if their end is missing', async () => {
    await using dms = await startFailingDms(respondWith(200, `[${'1,'.repeat(400_000)}`));
    const { persons } = dmsAt(dms, patient);
    await expect(persons.get('usr-ann')).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      expected: 'JSON',
    });
  });
});
