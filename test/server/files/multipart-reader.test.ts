import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpError } from '../../../src/server/errors/http-error.ts';
import { uploadTargets } from '../../../src/server/files/upload-map.ts';
import { respondWith, startFailingDms, wholeBody } from '../../helpers/failing-dms.ts';
import {
  shareGatewayOnSandbox,
  startGateway,
  startGatewayBefore,
  startGatewayOnSandbox,
  type TestGateway,
  type TestGatewayOptions,
} from '../../helpers/gateway.ts';
import { untilUnchanged } from '../../helpers/until-unchanged.ts';
import {
  createDocumentParts,
  multipart,
  multipartHeaders,
  startUpload,
  type Part,
} from '../../helpers/multipart-request.ts';
import { collectText, openConnection } from '../../helpers/raw-connection.ts';

interface Stored {
  readonly name: string;
  readonly url: string;
}

/** The contents that the DMS has stored, read through the gateway's links. */
async function contentsOf(files: readonly Stored[]): Promise<Record<string, string>> {
  const read = async ({ name, url }: Stored) => [name, await (await fetch(url)).text()];
  return Object.fromEntries(await Promise.all(files.map(read)));
}

async function countDocuments(gateway: TestGateway): Promise<number> {
  const { data } = await gateway.query('{ documents(view: ALL, first: 1) { totalCount } }');
  return data.documents.totalCount;
}

const onSandbox = shareGatewayOnSandbox();

const mebibyte = 2 ** 20;

const small = (text: string, filename = 'a.txt') => ({ filename, body: text });

describe('createDocument', () => {
  const sets: readonly [string, ReturnType<typeof small>[]][] = [
    ['no file', []],
    ['one file', [small('hello')]],
    ['three files', [small('a', 'a.txt'), small('b', 'b.txt'), small('c', 'c.txt')]],
    ['an empty file', [small('')]],
    ['a file of some size', [small('x'.repeat(3_000_000))]],
    [
      'names in any script',
      [small('a', 'Рахунок №5.txt'), small('b', '請求書 🧾.txt'), small('c', 'عقد.txt')],
    ],
    ['names with dots and spaces', [small('a', '.hidden'), small('b', ' a  b .txt')]],
  ];
  it.each(sets)('stores %s', async (_what, files) => {
    const gateway = onSandbox();
    const { data, errors } = await gateway.upload(createDocumentParts(files));
    expect(errors).toBeUndefined();
    expect(data.createDocument.__typename).toBe('CreateDocumentPayload');
    const stored = await contentsOf(data.createDocument.document.files);
    expect(stored).toEqual(Object.fromEntries(files.map(({ filename, body }) => [filename, body])));
  });

  it('stores names that browsers have escaped', async () => {
    const gateway = onSandbox();
    const form = new FormData();
    const [operations, map] = createDocumentParts([small('')]);
    form.set('operations', String(operations?.body));
    form.set('map', String(map?.body));
    form.set('0', new File(['quoted'], 'a "b"\r\nc.txt'));
    const response = await gateway.fetch('/graphql', {
      method: 'POST',
      headers: { 'x-graphql-yoga-csrf': '1' },
      body: form,
    });
    const { data }: { data: { createDocument: { document: { files: Stored[] } } } } = JSON.parse(
      await response.text(),
    );
    const { files } = data.createDocument.document;
    expect(files.map(({ name }) => name)).toEqual(['a "b"\r\nc.txt']);
    const download = await fetch(files[0]!.url);
    expect(await download.text()).toBe('quoted');
    expect(download.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''a%20%22b%22__c.txt",
    );
  });

  // Small files arrive in one chunk, and thus before the first of them is read.
  it.each([1, 200_000])('stores files of %i bytes in order of arrival', async (size) => {
    const gateway = onSandbox();
    const files = [0, 1, 2].map((i) => small(`${i}`.repeat(size), `${i}.txt`));
    const parts = createDocumentParts(files, [2, 0, 1]);
    const { data } = await gateway.upload(parts);
    const stored: Stored[] = data.createDocument.document.files;
    expect(stored.map(({ name }) => name)).toEqual(['2.txt', '0.txt', '1.txt']);
    expect((await contentsOf(stored))['1.txt']).toBe(files[1]?.body);
  });

  it('ignores a file that is not in the map', async () => {
    const gateway = onSandbox();
    const parts = createDocumentParts([small('a')]);
    parts.splice(2, 0, { name: 'other', filename: 'x', body: 'y'.repeat(500_000) });
    const { data } = await gateway.upload(parts);
    expect(data.createDocument.document.files).toHaveLength(1);
  });

  it('ignores a file for an undeclared variable', async () => {
    const gateway = onSandbox();
    const [operations, , file] = createDocumentParts([small('a'.repeat(300_000))]);
    const { data } = await gateway.upload([
      {
        name: 'operations',
        body: String(operations?.body).replace('"variables":{', '"variables":{"other":null,'),
      },
      { name: 'map', body: '{"x":["variables.other"],"0":["variables.input.files.0"]}' },
      { name: 'x', filename: 'x.txt', body: 'x'.repeat(500_000) },
      file!,
    ]);
    expect(data.createDocument.document.files).toHaveLength(1);
  });

  it('rejects one file for two entries', async () => {
    const gateway = onSandbox();
    const before = await countDocuments(gateway);
    const [operations, , file] = createDocumentParts([small('a'), small('b')]);
    const { data } = await gateway.upload([
      operations!,
      { name: 'map', body: '{"0":["variables.input.files.0","variables.input.files.1"]}' },
      file!,
    ]);
    expect(data.createDocument).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ path: ['files', '1'] }],
    });
    expect(await countDocuments(gateway)).toBe(before);
  });

  it('rejects a request without a mapped file', async () => {
    const gateway = onSandbox();
    const before = await countDocuments(gateway);
    const parts = createDocumentParts([small('a'), small('b')], [0]);
    const { errors } = await gateway.upload(parts);
    expect(errors).toMatchObject([
      {
        message: 'A file that `map` assigns is missing in the request.',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
    expect(await countDocuments(gateway)).toBe(before);
  });

  it('rejects two root fields with files', async () => {
    const gateway = onSandbox();
    const one = (name: string) => `${name}: createDocument(input: $${name}) { __typename }`;
    const query = `mutation ($a: CreateDocumentInput!, $b: CreateDocumentInput!) { ${one('a')} ${one('b')} }`;
    const variables = { a: { form: 'memo', files: [null] }, b: { form: 'memo', files: [null] } };
    const { errors } = await gateway.upload([
      { name: 'operations', body: JSON.stringify({ query, variables }) },
      { name: 'map', body: '{"0":["variables.b.files.0"],"1":["variables.a.files.0"]}' },
      { name: '0', filename: 'b.txt', body: 'b'.repeat(300_000) },
      { name: '1', filename: 'a.txt', body: 'a'.repeat(300_000) },
    ]);
    expect(errors).toMatchObject([
      {
        message: 'An operation with files must have exactly one root field.',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  });
});

describe('a malformed multipart request', () => {
  const [operations, map] = createDocumentParts([small('a')]);
  const mapped = (files: unknown): Part[] => [
    operations!,
    { name: 'map', body: JSON.stringify(files) },
  ];
  const given = (others: object, ...paths: readonly string[]): Part[] => [
    { name: 'operations', body: JSON.stringify({ query: '{ __typename }', ...others }) },
    { name: 'map', body: JSON.stringify({ 0: paths }) },
  ];
  const long = 'a'.repeat(1000);
  const letters = 'abcdefghijk'.split('');
  const nulls = Object.fromEntries(letters.map((letter) => [letter, null]));
  const file = 'variables.input.files.0';
  const inherited = [
    'hasOwnProperty.call',
    'toString',
    'constructor.prototype.polluted',
    '__proto__.polluted',
    'variables.hasOwnProperty.call',
    'variables.toString',
    'variables.constructor.prototype.polluted',
    'variables.input.files.push',
    'variables.input.files.constructor',
    'variables.input.form.at',
  ];
  const cases: readonly [string, readonly Part[]][] = [
    ['no parts', []],
    ['no operations', [map!]],
    ['no map', [operations!]],
    ['operations that are not JSON', [{ name: 'operations', body: '{' }, map!]],
    ['operations that are a number', [{ name: 'operations', body: '1' }, map!]],
    ['a batch', [{ name: 'operations', body: `[${String(operations?.body)}]` }, map!]],
    ['a map before operations', [map!, operations!]],
    ['a map that is not JSON', [operations!, { name: 'map', body: '{' }]],
    ['a map that is a list', mapped([])],
    ['an entry that is not a list', mapped({ 0: 'variables' })],
    ['an entry that is not a path', mapped({ 0: [1] })],
    ['a missing path', mapped({ 0: ['variables.a.b.c'] })],
    ['a path past the end of a list', mapped({ 0: ['variables.input.files.99999999'] })],
    ['a path outside of variables', given({ extensions: { a: null } }, 'extensions.a')],
    ['a path that is `variables`', mapped({ 0: ['variables'] })],
    ['an empty path', mapped({ 0: [''] })],
    ['a path to a value other than null', mapped({ 0: ['variables.input.form'] })],
    ['a non-canonical index', mapped({ 0: ['variables.input.files.00'] })],
    ['the length of a list', mapped({ 0: ['variables.input.files.length'] })],
    ['a path through a string', mapped({ 0: ['variables.input.form.0'] })],
    ['a very long path', given({ variables: { [long]: null } }, `variables.${long}`)],
    ['one path for two files', mapped({ 0: [file], 1: [file] })],
    [
      'many paths for a file',
      given({ variables: nulls }, ...letters.map((letter) => `variables.${letter}`)),
    ],
    ['a file before operations', [{ name: '0', filename: 'a', body: 'a' }, operations!, map!]],
    ...inherited.map((path): [string, Part[]] => [`the inherited ${path}`, mapped({ 0: [path] })]),
  ];
  it.each(cases)('with %s is rejected with 400', async (_what, parts) => {
    const gateway = await startGatewayBefore('http://127.0.0.1:1');
    const { status, headers, errors } = await gateway.upload(parts);
    expect(status).toBe(400);
    const requestId = headers.get('x-request-id');
    expect(errors![0]!.extensions).toEqual({ code: 'BAD_USER_INPUT', requestId });
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
  ])('of the media type %s is rejected with 400', async (type) => {
    const gateway = await startGatewayBefore('http://127.0.0.1:1');
    const { status } = await gateway.upload([operations!, map!], { 'content-type': type });
    expect(status).toBe(400);
  });

  it('that arrives too slowly is rejected with 408', async () => {
    const gateway = await startGatewayBefore('http://127.0.0.1:1', {
      server: { requestTimeoutMs: 50 },
    });
    const { req, response } = startUpload(gateway.url);
    req.write(multipart([operations!]).subarray(0, 80));
    const drip = setInterval(() => req.write(' '), 10);
    onTestFinished(() => {
      clearInterval(drip);
      req.destroy();
    });
    const { status, body } = await response.finally(() => clearInterval(drip));
    expect(status).toBe(408);
    expect(JSON.parse(body).errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });

  it('with a large part is rejected with 413', async () => {
    const gateway = await startGatewayBefore('http://127.0.0.1:1', {
      server: { maxBodyBytes: 2000 },
    });
    const big = { name: 'operations', body: JSON.stringify({ query: 'x'.repeat(3000) }) };
    const { status, errors } = await gateway.upload([big, map!]);
    expect(status).toBe(413);
    expect(errors![0]!.message).toBe(
      'The request is too large without its files; MAX_BODY_BYTES allows 2000 bytes.',
    );
  });
});

it('a map can name own properties with any name', () => {
  const operations = JSON.parse('{"variables":{"constructor":null,"__proto__":{"a":null}}}');
  const places = uploadTargets({ 0: ['variables.constructor'] }, operations, 20);
  expect(places.get('0')).toEqual([{ parent: operations.variables, key: 'constructor' }]);
  expect(() => uploadTargets({ 0: ['variables.__proto__.a'] }, operations, 20)).toThrow(HttpError);
});

describe('malformed bytes', () => {
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const [operations, map] = createDocumentParts([small('a')]);
  const start = field('operations', String(operations?.body)) + field('map', String(map?.body));
  const file = (head: string, content = 'a') => `${start}--b\r\n${head}\r\n\r\n${content}`;
  const bodies: readonly [string, string][] = [
    ['no part header', '--b\r\n\r\n'],
    ['a part header without a colon', '--b\r\nX\r\n\r\n'],
    ['a part header with NUL', '--b\r\nContent-Disposition: form-data; name="\0"\r\n\r\n'],
    ['nothing', ''],
    ['a lone boundary', '--b'],
    ['boundaries without end', '--b\r\n'.repeat(5000)],
    ['only the closing boundary', '--b--\r\n'],
    ['data after the closing boundary', '--b--\r\n--b--\r\n--b\r\n\r\n'],
    ['a header without end', `--b\r\n${'x'.repeat(100_000)}`],
    ['many parts', '--b\r\nA: b\r\n\r\nx\r\n'.repeat(5000)],
    ['half of a field', field('operations', String(operations?.body)).slice(0, -30)],
    ['half of a file', file('Content-Disposition: form-data; name="0"; filename="a"')],
    ['a file with a broken header', file('Content-Disposition: form-data; name="0"; filename="a')],
    [
      'a file name with NUL',
      file('Content-Disposition: form-data; name="0"; filename="a\0b"', 'a\r\n--b--\r\n'),
    ],
    [
      'an encoded file name with NUL',
      file(`Content-Disposition: form-data; name="0"; filename*=UTF-8''a%00b`, 'a\r\n--b--\r\n'),
    ],
    [
      'an encoded file name with a line break',
      file(`Content-Disposition: form-data; name="0"; filename*=UTF-8''a%0D%0Ab`, 'a\r\n--b--\r\n'),
    ],
  ];
  const messages = new Set([
    'The multipart body is malformed or incomplete.',
    'The part `operations` is missing.',
    'The request has too many parts.',
    'A file that `map` assigns is missing in the request.',
    'A file name must not contain control characters.',
  ]);

  it.each(bodies)('are rejected without side effects: %s', async (_what, body) => {
    const uploads: Promise<string>[] = [];
    const dms = await startFailingDms((request) => {
      uploads.push(
        wholeBody(request).then(
          () => 'complete',
          () => 'aborted',
        ),
      );
    });
    const gateway = await startGatewayBefore(dms.url);
    for (const cut of [body.length, 1]) {
      const connection = open(gateway);
      connection.write(
        `POST /graphql HTTP/1.1\r\nhost: x\r\nx-graphql-yoga-csrf: 1\r\ncontent-type: multipart/form-data; boundary=b\r\naccept: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      for (let at = 0; at < body.length && at < 3000; at += cut) {
        connection.write(Buffer.from(body.slice(at, at + cut), 'latin1'));
      }
      if (cut === 1) connection.write(Buffer.from(body.slice(3000), 'latin1'));
      await expect.poll(connection.text).toContain('"code":"BAD_USER_INPUT"');
      const [, message] = /"message":"([^"]*)"/.exec(connection.text()) ?? [];
      expect(messages).toContain(message);
    }
    expect(await Promise.all(uploads)).not.toContain('complete');
    expect(await gateway.query('{ __typename }')).toMatchObject({ data: { __typename: 'Query' } });
  });
});

describe('a file', () => {
  /** The header of the file part that the DMS receives. */
  async function sentHead(head: string): Promise<string | undefined> {
    let received = '';
    const dms = await startFailingDms((request, response) => {
      void (async () => {
        const body = await wholeBody(request);
        if (request.method === 'POST') received = body;
        response.writeHead(201).end('{"_id":"65f000005eed00d0000000bf","filesList":[]}');
      })();
    });
    const gateway = await startGatewayBefore(dms.url);
    const body = multipart(createDocumentParts([small('x', 'NAME')]))
      .toString()
      .replace(/Content-Disposition: [^\r]*"NAME"/, head);
    const response = await gateway.post(body, multipartHeaders);
    expect(await response.text()).toContain('CreateDocumentPayload');
    return /name="files"; (filename="[^]*?)\r\n\r\n/.exec(received)?.[1];
  }
  const disposition = 'Content-Disposition: form-data; name="0"; filename="a"';

  it.each([
    ['application/pdf', 'application/pdf'],
    ['Text/CSV; charset=windows-1251', 'Text/CSV; charset=windows-1251'],
    ['text/plain;charset="utf-8"', 'text/plain;charset="utf-8"'],
    ['', 'application/octet-stream'],
    ['pdf', 'application/octet-stream'],
    ['text/', 'application/octet-stream'],
    ['text/plain; charset', 'application/octet-stream'],
    ['text/plain; a="b', 'application/octet-stream'],
    ['text/plain\u0001', 'application/octet-stream'],
    [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
  ])('of type %j is sent as %j', async (given, sent) => {
    expect(await sentHead(`${disposition}\r\nContent-Type: ${given}`)).toBe(
      `filename="a"\r\nContent-Type: ${sent}`,
    );
  });

  it('without a type is sent as application/octet-stream', async () => {
    expect(await sentHead(disposition)).toBe(
      'filename="a"\r\nContent-Type: application/octet-stream',
    );
  });

  it.each([
    ['filename="C:\\dir\\a.txt"', 'a.txt'],
    ['filename=token.txt', 'token.txt'],
    ['filename="a\\"b.txt"', 'a%22b.txt'],
    ['filename=""', 'file'],
    ['filename=".."', 'file'],
    [`filename="plain"; filename*=UTF-8''%D0%A0%E2%84%96.txt`, 'Р№.txt'],
    [`filename="plain"; filename*=UTF-8''%ZZ`, 'plain'],
    [`filename="plain"; filename*=ISO-8859-1''%E4.txt`, 'ä.txt'],
    [`filename="plain"; filename*=koi8-r''%E4.txt`, 'plain'],
    [`filename*=UTF-8''fdp%E2%80%AEexe.%E2%81%A6pdf`, 'fdp_exe._pdf'], // U+202E, U+2066
    [`filename*=UTF-8''exe.%E2%80%8F%D8%9C%E2%80%8Epdf`, 'exe.___pdf'], // U+200F, U+061C, U+200E
    [`filename*=UTF-8''a%E2%80%A8b.txt`, 'a_b.txt'], // U+2028
  ])('with %s has the name %s', async (parameters, name) => {
    const head = await sentHead(`Content-Disposition: form-data; name="0"; ${parameters}`);
    expect(head?.split('\r\n')[0]).toBe(`filename="${name}"`);
  });

  it.each([
    ['latin1', 'n\u00e4me.txt'],
    ['gbk', '\u00ce\u00c4.txt'],
    ['cut off', '\u00e2\u0082'],
  ])('with a name in %s, not UTF-8, is rejected', async (_charset, bytes) => {
    const gateway = await startGateway();
    const parts = createDocumentParts([small('a', 'NAME')]);
    const body = Buffer.from(multipart(parts).toString('latin1').replace('NAME', bytes), 'latin1');
    const response = await gateway.post(new Uint8Array(body), multipartHeaders);
    expect(await response.json()).toMatchObject({
      data: null,
      errors: [
        {
          message: 'A file name must be encoded in UTF-8.',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    });
    expect(gateway.dms.requests).toEqual([]);
  });

  it.each([' ', '\t', ' \t  '])('after boundaries with the padding %j arrives', async (padding) => {
    const gateway = onSandbox();
    const files = [small('one'), small('x--test-boundary', 'b.txt')];
    const body = multipart(createDocumentParts(files))
      .toString()
      .replaceAll(/--test-boundary(?:--)?(?=\r\n(?:Content|$))/g, `$&${padding}`);
    expect(body).toContain(`--test-boundary--${padding}`);
    const response = await gateway.post(body, multipartHeaders);
    const { data } = JSON.parse(await response.text());
    expect(await contentsOf(data.createDocument.document.files)).toEqual({
      'a.txt': 'one',
      'b.txt': 'x--test-boundary',
    });
  });

  it('that arrives twice is used once', async () => {
    const gateway = onSandbox();
    const parts = createDocumentParts([small('first'), small('b', 'b.txt')]);
    parts.splice(3, 0, { name: '0', filename: 'a.txt', body: 'second'.repeat(100_000) });
    const { data } = await gateway.upload(parts);
    expect(await contentsOf(data.createDocument.document.files)).toEqual({
      'a.txt': 'first',
      'b.txt': 'b',
    });
  });
});

describe('limits of uploads', () => {
  const start = (server: TestGatewayOptions['server'] = {}) =>
    startGatewayOnSandbox({ server: { maxUploadBytes: 300_000, maxUploadFiles: 3, ...server } });
  const tooLarge = 'The files are too large; MAX_UPLOAD_BYTES allows 300000 bytes.';

  it('accept a file of the maximum size', async () => {
    const gateway = await start();
    const { data } = await gateway.upload(createDocumentParts([small('x'.repeat(300_000))]));
    const stored = await contentsOf(data.createDocument.document.files);
    expect(stored['a.txt']).toHaveLength(300_000);
  });

  const over: readonly [string, ReturnType<typeof small>[]][] = [
    ['one byte more', [small('x'.repeat(300_001))]],
    ['much more', [small('x'.repeat(3_000_000))]],
    ['more in the second file', [small('a'), small('x'.repeat(300_001), 'b.txt')]],
    [
      'more in all files together',
      [small('x'.repeat(200_000)), small('y'.repeat(200_000), 'b.txt')],
    ],
  ];
  it.each(over)('reject %s and store nothing', async (_what, files) => {
    const gateway = await start();
    const before = await countDocuments(gateway);
    const { data, errors } = await gateway.upload(createDocumentParts(files));
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ message: tooLarge, extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await countDocuments(gateway)).toBe(before);
  });

  it('accept the maximum of files and reject one more', async () => {
    const gateway = await start();
    const files = (count: number) =>
      Array.from({ length: count }, (_, i) => small('x', `${i}.txt`));
    const most = await gateway.upload(createDocumentParts(files(3)));
    expect(most.data.createDocument.document.files).toHaveLength(3);
    const { status, errors } = await gateway.upload(createDocumentParts(files(4)));
    expect(status).toBe(413);
    expect(errors![0]).toMatchObject({
      message: 'The request has too many files; MAX_UPLOAD_FILES allows 3.',
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it('accept the maximum of other parts and reject one more', async () => {
    const gateway = await start();
    const [operations, map, file] = createDocumentParts([small('x')]);
    const partsWith = (others: number): Part[] => [
      operations!,
      map!,
      ...Array.from({ length: others }, (_, i) => ({ name: `other${i}`, body: '' })),
      file!,
    ];
    // Parts for two files that are allowed but missing can be other parts.
    const most = await gateway.upload(partsWith(22));
    expect(most.data.createDocument.document.files).toHaveLength(1);
    const { errors } = await gateway.upload(partsWith(23));
    expect(errors).toMatchObject([
      { message: 'The request has too many parts.', extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });
});

describe('a response before the files', () => {
  const big = 'x'.repeat(5_000_000);
  const [operations, map, file] = createDocumentParts([small(big)]);
  const cases: readonly [string, string][] = [
    ['an invalid query', String(operations?.body).replace('fullId', 'nothing')],
    ['a failing resolver', String(operations?.body).replace('"form":"memo"', '"form":"nothing"')],
    [
      'bad input',
      String(operations?.body).replace('"form":"memo"', '"form":"memo","tags":["a,b"]'),
    ],
  ];
  it.each(cases)('arrives although the files are sent to their end: %s', async (_what, body) => {
    const gateway = onSandbox();
    const connection = open(gateway);
    const refused = multipart([{ name: 'operations', body }, map!, file!]);
    connection.write(headOf(refused));
    connection.write(refused.subarray(0, 1_000_000));
    // The response arrives while most of the file is still missing.
    await expect.poll(connection.text).toMatch(/"errors"|NotFoundError|ValidationError/);
    expect(connection.text()).toMatch(/^connection: close\r$/im);
    connection.write(refused.subarray(1_000_000));
    await expect.poll(connection.hasEnded).toBe(true);
    const next = open(gateway);
    const upload = multipart(createDocumentParts([small('a')]));
    next.write(headOf(upload));
    next.write(upload);
    await expect.poll(next.text).toContain('CreateDocumentPayload');
  });
});

/** A connection on which the test writes requests itself. */
function open({ url }: TestGateway) {
  const socket = openConnection(url);
  let hasEnded = false;
  socket.once('end', () => (hasEnded = true)); // not if the connection was reset
  return {
    write: (bytes: string | Buffer) => socket.write(bytes),
    text: collectText(socket),
    hasEnded: () => hasEnded,
  };
}

function headOf(body: Buffer): string {
  const headers = { host: 'x', 'content-length': body.length, ...multipartHeaders };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST /graphql HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

describe('a client that goes away', () => {
  it('in a file leaves no data', async () => {
    const gateway = await startGatewayOnSandbox();
    const before = await countDocuments(gateway);
    const parts = createDocumentParts([small('x'.repeat(2_000_000))]);
    const { req } = startUpload(gateway.url);
    req.write(multipart(parts).subarray(0, 1_000_000));
    await expect
      .poll(() => gateway.requests.filter((line) => line.startsWith('POST')).length)
      .toBe(1);
    req.destroy();
    await expect
      .poll(() => gateway.log.find(({ type }) => type === 'mutation'))
      .toMatchObject({ outcome: 'CANCELLED' });
    expect(await countDocuments(gateway)).toBe(before);
  });

  it('without closing the connection is dropped', async () => {
    const gateway = await startGatewayOnSandbox({ http: { timeoutMs: 1000 } });
    const before = await countDocuments(gateway);
    const parts = createDocumentParts([small('x'.repeat(2_000_000))]);
    const { req, response } = startUpload(gateway.url);
    req.write(multipart(parts).subarray(0, 1_000_000));
    const { body } = await response;
    const message = 'The upload stopped or was too slow.';
    expect(JSON.parse(body).errors).toMatchObject([
      { message, extensions: { code: 'BAD_USER_INPUT', retryable: false } },
    ]);
    expect(await countDocuments(gateway)).toBe(before);
    req.destroy();
  });
});

it('a DMS that reads slowly applies back-pressure', async () => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  const document = '{"_id":"65f000005eed00d0000000bf","filesList":[]}';
  const dms = await startFailingDms((request, response, nth) => {
    if (request.method === 'GET') return respondWith(200, document)(request, response, nth);
    request.pause();
    request.on('end', () => respondWith(201, document)(request, response, nth));
    arrived.resolve(request);
  });
  const gateway = await startGatewayBefore(dms.url);
  const whole = multipart(createDocumentParts([small('', 'big.bin')]));
  const fileAt = whole.indexOf('\r\n\r\n', whole.indexOf('big.bin')) + 4;
  const chunk = Buffer.alloc(mebibyte);
  let sent = 0;
  const bytes = function* (): Generator<Buffer> {
    yield whole.subarray(0, fileAt);
    for (; sent < 128; sent += 1) yield chunk;
    yield whole.subarray(fileAt);
  };
  const { req, response } = startUpload(gateway.url);
  const sending = pipeline(Readable.from(bytes(), { highWaterMark: 1 }), req);

  const request = await arrived.promise;
  // Unread data is in the buffers of two sockets, not in the gateway.
  expect(await untilUnchanged(() => sent)).toBeLessThan(64);
  let received = 0;
  request.on('data', (part: Buffer) => {
    received += part.length;
  });
  request.resume();
  await sending;
  expect((await response).body).toContain('CreateDocumentPayload');
  expect(received).toBeGreaterThan(128 * mebibyte);
});
