import { expect, it } from 'vitest';
import { startGatewayOnSandbox } from '../helpers/gateway.ts';

const idsOf = ({ nodes }: { nodes: { fullId: string }[] }) => nodes.map(({ fullId }) => fullId);

it('returns large pages in the order of small ones', async () => {
  const { query, requests } = await startGatewayOnSandbox();
  const ask = async (args: string) => {
    const { data, errors } = await query(
      `{ documents(${args}) { totalCount nodes { fullId } pageInfo { hasNextPage endCursor } } }`,
    );
    expect(errors).toBeUndefined();
    return data.documents;
  };
  const all = await ask('first: 500');
  expect(requests.map((line) => line.replace(/^.*\?/, ''))).toEqual([
    'first=0&pageSize=100&fields=_id',
    'first=100&pageSize=100&fields=_id',
  ]);
  const small = [await ask('first: 100'), await ask('first: 100, offset: 100')];
  expect(idsOf(all)).toEqual(small.flatMap(idsOf));
  expect(all).toMatchObject({ totalCount: 200, pageInfo: small[1].pageInfo });
  expect(idsOf(await ask('last: 150'))).toEqual(idsOf(all).slice(50));
});

it('sorts a view and searches organizations, of which the DMS can do neither', async () => {
  const { query, requests } = await startGatewayOnSandbox();
  const dueOf = async (direction: string, filter = '') => {
    const { data, errors } = await query(
      `{ documents(first: 500${filter}, orderBy: { field: DATE_DUE, direction: ${direction} }) { nodes { dateDue } } }`,
    );
    expect(errors).toBeUndefined();
    return (data.documents.nodes as { dateDue: string | null }[]).map(({ dateDue }) => dateDue);
  };
  const due = await dueOf('ASC');
  const dates = due.filter((date) => date !== null);
  expect(due).toHaveLength(200);
  expect(dates.length).toBeGreaterThan(10);
  expect(due).toEqual([...dates.toSorted(), ...due.slice(dates.length)]);
  expect((await dueOf('DESC')).slice(0, dates.length)).toEqual(dates.toSorted().toReversed());
  expect(requests).toHaveLength(4);
  const search = async (words: string, view = 'ALL') => {
    const found = await query(
      `{ documents(view: ${view}, search: "${words}", first: 500) { totalCount nodes { shortId values { ... on TextValue { text } } } } }`,
    );
    expect(found.errors).toBeUndefined();
    return found.data.documents as { totalCount: number; nodes: { shortId: string }[] };
  };
  const byNumber = await search('re-2026-0001');
  expect(byNumber.totalCount).toBeGreaterThan(0);
  expect(JSON.stringify(byNumber)).toContain('RE-2026-0001');
  expect(await search('doc-0179')).toMatchObject({ nodes: [{ shortId: 'DOC-0179' }] });
  expect(await search('no such words')).toEqual({ totalCount: 0, nodes: [] });
  const { data } = await query('{ organizations(search: "ou BALTIC") { nodes { name } } }');
  expect(data.organizations.nodes).toEqual([{ name: 'Baltic Freight OÜ' }]);
});
