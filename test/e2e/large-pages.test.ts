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
