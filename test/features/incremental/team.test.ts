import { expect, it } from 'vitest';
import { defineGateway } from '../../../src/index.ts';
import { fakeTimers, whileTimePasses } from '../../helpers/fake-timers.ts';
import { startGateway } from '../../helpers/gateway.ts';
import { mergeParts, queryParts } from '../../helpers/result-parts.ts';
import { documentFields } from '../../helpers/team-fields.ts';

/* Fields of a team in deferred fragments. */

const id = '5f0000000000000000000001';
const otherId = '5f0000000000000000000002';

const { schema: extendSchema } = defineGateway({
  schema(builder, refs) {
    documentFields(builder, refs);
    builder.queryFields((t) => ({
      ok: t.int({ resolve: () => 1 }),
      never: t.int({ nullable: true, resolve: () => new Promise<never>(() => {}) }),
      neverItem: t.intList({ resolve: () => [new Promise<never>(() => {})] as never }),
    }));
  },
});

it('leaves out of the first request what a deferred field requires', async () => {
  const gateway = await startGateway({ parts: { extendSchema } });
  gateway.dms.reply('GET', /^\/api\/v2\/docForm\//, {
    _id: id,
    state: 10,
    step: 2,
    author: 'usr-ann',
    docResponse: { _id: otherId, status: 1, state: 3 },
    recoData: [{ _id: otherId, pageIdxStart: 1, pageIdxEnd: 4 }],
  });
  const parts = await queryParts(
    gateway,
    `{ document(id: "${id}") { state ... @defer { riskScore response { isOpen } } recoData { ... @defer { lastPage } } } }`,
  );
  expect(parts[0]).toMatchObject({ data: { document: { state: 10 } }, hasNext: true });
  expect(mergeParts(parts)).toEqual({
    data: {
      document: {
        state: 10,
        riskScore: 2,
        response: { isOpen: true },
        recoData: [{ lastPage: 4 }],
      },
    },
    errors: [],
  });
  expect(gateway.dms.requests).toEqual([
    `GET /api/v2/docForm/${id}?fields=_id,state,recoData&embed=recoData`,
    `GET /api/v2/docForm/${id}?fields=_id,author,step,docResponse,status,recoData,pageIdxEnd&embed=docResponse,recoData`,
  ]);
});

it('ends fields that never resolve with their operation', async () => {
  fakeTimers('performance', 'setTimeout');
  const gateway = await startGateway({
    server: { requestTimeoutMs: 1000 },
    parts: { extendSchema },
  });
  await gateway.load();
  const parts = await whileTimePasses(queryParts(gateway, '{ ok ... @defer { never neverItem } }'));
  expect(parts[0]).toMatchObject({ data: { ok: 1 }, hasNext: true });
  expect(parts.at(-1)).toMatchObject({ hasNext: false });
  const codes = parts
    .flatMap(({ errors = [], incremental = [] }) => [
      ...errors,
      ...incremental.flatMap((part) => part.errors ?? []),
    ])
    .map(({ extensions }) => extensions['code']);
  expect(new Set(codes)).toEqual(new Set(['UPSTREAM_TIMEOUT']));
});
