import { describe, expect, it } from 'vitest';
import { createResolvers } from '../../helpers/resolvers.ts';

const fullId = '5f0000000000000000000001';

/** Reads a document whose properties are this JSON text. */
async function read(properties: string, selection: string) {
  const { dms, run } = createResolvers();
  dms.reply('GET', `/api/v2/docForm/${fullId}`, `{"_id":"${fullId}",${properties}}`);
  const { data, errors } = await run(`{ document(id: "${fullId}") { fullId ${selection} } }`);
  expect(errors).toBeUndefined();
  return data!['document'];
}

const values =
  'values { tag ... on TextValue { text } ... on TableValue { columns rows records } }';

describe('a number beyond 2^53', () => {
  const big = '12345678901234567890';

  it.each([big, '-9007199254740993', '1e21', '1E400', '12345678901234567890.5'])(
    'keeps all digits in values: %s',
    async (number) => {
      const json = `"valuesByTags":{"a":"x","n":${number},"t":[["c"],[${number}]],"z":1.5}`;
      expect(await read(json, `${values} valuesByTags`)).toEqual({
        fullId,
        values: [
          { tag: 'a', text: 'x' },
          { tag: 'n', text: number },
          { tag: 't', columns: ['c'], rows: [[number]], records: [{ c: number }] },
          { tag: 'z', text: '1.5' },
        ],
        valuesByTags: { a: 'x', n: number, t: [['c'], [number]], z: 1.5 },
      });
    },
  );

  it('keeps all digits in recognition entries', async () => {
    const json = `"recoData":[{"_id":"r1","valuesByTags":{"n":${big}},"recoForm":{"id":"f","name":${big}}}]`;
    expect(await read(json, `recoData { form { name } ${values} }`)).toEqual({
      fullId,
      recoData: [{ form: { name: big }, values: [{ tag: 'n', text: big }] }],
    });
  });

  it('is null where an integer is expected', async () => {
    const json = `"state":${big},"step":3,"_meta":{"_rev":1e99,"_created":"2026-01-01T00:00:00Z"}`;
    expect(await read(json, 'state step meta { revision createdAt }')).toEqual({
      fullId,
      state: null,
      step: 3,
      meta: { revision: null, createdAt: '2026-01-01T00:00:00Z' },
    });
  });

  it('is the ID of an organization with all digits', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', /org/, `{"_id":"${fullId}","govId":${big},"name":"a"}`);
    const { data } = await run(`{ organization(id: "${fullId}") { name governmentId } }`);
    expect(data).toEqual({ organization: { name: 'a', governmentId: big } });
  });

  it('as a total count is unknown', async () => {
    const { dms, run } = createResolvers();
    dms.reply('GET', /org/, `[{"_id":"${fullId}"}]`, { headers: { 'x-total-count': big } });
    const { data } = await run('{ organizations { totalCount nodes { fullId } } }');
    expect(data).toEqual({ organizations: { totalCount: null, nodes: [{ fullId }] } });
  });
});

describe('an unpaired surrogate', () => {
  const odd = '\\ud800';

  it('leaves the rest of a document as it is', async () => {
    const json = `"_id_web":"${odd}","author":"usr-${odd}","state":1,"_tags":["${odd}","b"],
      "filesList":[{"id":"${odd}","fileName":"${odd}"},{"id":"f","fileName":"b"}],
      "refByDocs":["${odd}","${fullId}"],
      "valuesByTags":{"a":"${odd}","${odd}":"x","t":[["${odd}"],["${odd}"]],"p":"usr-${odd}"}`;
    const document = await read(
      json,
      `shortId state tags author { __typename } files { id name }
       refByDocs { nodes { fullId } } ${values} value(tag: "p") {
         ... on TextValue { person { email } document { shortId } organization { name } } }`,
    );
    const text = '\ud800';
    expect(document).toEqual({
      fullId,
      shortId: text,
      state: 1,
      tags: [text, 'b'],
      author: null,
      files: [
        { id: text, name: text },
        { id: 'f', name: 'b' },
      ],
      refByDocs: { nodes: [{ fullId }] },
      values: [
        { tag: 'a', text },
        { tag: text, text: 'x' },
        { tag: 't', columns: [text], rows: [[text]], records: [{ [text]: text }] },
        { tag: 'p', text: `usr-${text}` },
      ],
      value: { person: null, document: null, organization: null },
    });
  });
});
