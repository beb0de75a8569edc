import { describe, expect, it } from 'vitest';
import { directions, sendPlain, startDirectionsDms, type Send } from '../helpers/directions.ts';
import { startFailingDms } from '../helpers/failing-dms.ts';
import { startGatewayBefore } from '../helpers/gateway.ts';

type Encode = (text: string) => Buffer;

const latin1: Encode = (text) => Buffer.from(text, 'latin1');
const utf16le: Encode = (text) => Buffer.from(text, 'utf16le');
const utf8: Encode = (text) => Buffer.from(text);

/** Sends every text and all JSON with this charset. */
function sendIn(charset: string | null, encode: Encode): Send {
  return (answer, request, response) => {
    const [type = ''] = (answer.headers['content-type'] ?? '').split(';', 1);
    if (type === 'application/pdf') {
      sendPlain(answer, request, response);
      return;
    }
    const declared = charset === null ? type : `${type}; charset=${charset}`;
    const headers = { ...answer.headers, 'content-type': declared };
    sendPlain({ ...answer, headers, body: encode(String(answer.body)) }, request, response);
  };
}

describe.each<[string, string | null, Encode]>([
  ['UTF-8 that is not declared', null, utf8],
  ['UTF-8', 'UTF-8', utf8],
  ['quoted utf8', '"utf8"', utf8],
  ['UTF-8 declared as ASCII', 'us-ascii', utf8],
  ['UTF-8 with a byte order mark', null, (text) => utf8(`\ufeff${text}`)],
])('%s', (_name, charset, encode) => {
  const withText = directions.filter(({ name }) => ['a read', 'a text', 'a write'].includes(name));
  it.each(withText)('is read in $name', async ({ run, expected }) => {
    const dms = await startDirectionsDms(sendIn(charset, encode));
    expect(await run(dms, {})).toEqual(expected);
  });
});

const textDirection = directions.find(({ name }) => name === 'a text')!;

it.each<[string, string, Encode]>([
  ['ISO 8859-1', 'ISO-8859-1', latin1],
  ['Windows-1252 in single quotes', "'windows-1252'", latin1],
])('%s is read in a text', async (_name, charset, encode) => {
  const dms = await startDirectionsDms(sendIn(charset, encode));
  expect(await textDirection.run(dms, {})).toEqual(textDirection.expected);
});

describe.each<[string, string | null, Encode]>([
  ['bytes that are not UTF-8', null, latin1],
  ['bytes that are not of the declared charset', 'utf-8', latin1],
  ['JSON in another charset', 'iso-8859-1', latin1],
])('%s', (_name, charset, encode) => {
  it.each([
    ['a read', 'UPSTREAM_ERROR'],
    ['a write', 'OUTCOME_UNKNOWN'],
  ])('makes %s fail', async (name, code) => {
    const dms = await startDirectionsDms(sendIn(charset, encode));
    const { run } = directions.find((direction) => direction.name === name)!;
    expect(await run(dms, {})).toMatchObject([{ extensions: { code } }]);
    expect(dms.requests).toHaveLength(1);
  });
});

it.each<[string, string | null, Encode]>([
  ['bytes that are not UTF-8', null, latin1],
  ['bytes that are not of the declared charset', 'utf-8', latin1],
  ['half of a character', 'utf-16le', (text) => utf16le(text).subarray(0, -1)],
  ['an unknown charset', 'x-none', utf8],
  ['a charset that is too long', 'x'.repeat(5000), utf8],
])('%s make a text fail', async (_name, charset, encode) => {
  const id = 'aaaaaaaaaaaaaaaaaaaaaaaa';
  const dms = await startFailingDms((request, response) => {
    if (!request.url!.includes('/text')) {
      response.end(JSON.stringify({ _id: id }));
      return;
    }
    const declared = charset === null ? '' : `;charset=${charset}`;
    response.setHeader('content-type', `text/plain${declared}`);
    response.end(encode('Grüße'));
  });
  const gateway = await startGatewayBefore(dms.url);
  const { data, errors } = await gateway.query(
    `{ document(id: "${id}") { fullId recognizedText { text } } }`,
  );
  expect(data).toEqual({ document: { fullId: id, recognizedText: null } });
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_ERROR' } }]);
});

it.each([
  ['in UTF-8', 'utf-8', utf8, 'ü'],
  ['with a byte order mark', 'utf-8', (text: string) => utf8(`\ufeff${text}`), 'ü'],
])('reads a large response %s', async (_name, charset, encode, letter) => {
  const name = letter.repeat(300_000);
  const dms = await startFailingDms((_request, response) => {
    response.setHeader('content-type', `application/json; charset=${charset}`);
    response.end(encode(JSON.stringify({ _id_sys: 'usr-ann', name_first: name, name_last: name })));
  });
  const gateway = await startGatewayBefore(dms.url);
  const { data } = await gateway.query('{ person(id: "usr-ann") { firstName } }');
  expect(data.person.firstName === name).toBe(true);
});
