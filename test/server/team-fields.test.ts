import { describe, expect, it } from 'vitest';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { startGateway, type TestGatewayOptions } from '../helpers/gateway.ts';
import { documentFields } from '../helpers/team-fields.ts';

/* Fields of a team wherever the gateway reads documents. */

const id = '5f0000000000000000000001';
const otherId = '5f0000000000000000000002';

const wire = (fullId: string) => ({
  _id: fullId,
  state: 10,
  step: 2,
  author: 'usr-ann',
  docResponse: { _id: otherId, status: 1, state: 3 },
  recoData: [{ _id: otherId, pageIdxStart: 1, pageIdxEnd: 4 }],
});

async function start({ server = {}, parts = {} }: TestGatewayOptions = {}) {
  const gateway = await startGateway({ server, parts: { extendSchema: documentFields, ...parts } });
  gateway.dms.reply('GET', /^\/api\/v2\/docForm\/[0-9a-f]{24}/, ({ path }) =>
    wire(path.slice('/api/v2/docForm/'.length).slice(0, 24)),
  );
  return gateway;
}

const oneDocument = (fields: string): string => `{ document(id: "${id}") { ${fields} } }`;

describe.each([
  ['graphql-js', 0],
  ['compiled execution', 1],
])('with %s, what a field requires', (_name, compileAfter) => {
  it('joins the request for the document', async () => {
    const { query, dms } = await start({ server: compiledAfter(compileAfter) });
    const { data, errors } = await query(
      oneDocument('state riskScore response { isOpen } recoData { lastPage }'),
    );
    expect(errors).toBeUndefined();
    expect(data.document).toEqual({
      state: 10,
      riskScore: 2,
      response: { isOpen: true },
      recoData: [{ lastPage: 4 }],
    });
    expect(dms.requests).toEqual([
      `GET /api/v2/docForm/${id}?fields=_id,author,state,step,docResponse,status,recoData,pageIdxEnd&embed=docResponse,recoData`,
    ]);
  });

  it('joins the request for the document of each bulk payload', async () => {
    const { query, dms } = await start({ server: compiledAfter(compileAfter) });
    dms.reply('POST', /docResponse$/, '');
    const { data, errors } = await query(`mutation {
      moveDocuments(input: { moves: [{ document: "${id}", action: SUSPEND }, { document: "${otherId}", action: SUSPEND }] }) {
        results { ... on MoveDocumentPayload { document { riskScore } } }
      }
    }`);
    expect(errors).toBeUndefined();
    const payload = { document: { riskScore: 2 } };
    expect(data).toEqual({ moveDocuments: { results: [payload, payload] } });
    expect(dms.requests.toSorted()).toEqual([
      `GET /api/v2/docForm/${id}?fields=_id,author,step`,
      `GET /api/v2/docForm/${otherId}?fields=_id,author,step`,
      `POST /api/v2/docForm/${id}/docResponse`,
      `POST /api/v2/docForm/${otherId}/docResponse`,
    ]);
  });
});
