import { hash } from 'node:crypto';
import { connect } from 'node:net';
import * as fc from 'fast-check';

/** The bytes of a request and the chunks in which they are sent. */
export interface RawRequest {
  readonly head: string;
  readonly body: Buffer;
  /** Lengths of the chunks of the body, used in turn. */
  readonly cuts: readonly number[];
  readonly isChunked: boolean;
  /** Whether the client disconnects before the end of the body. */
  readonly isCut: boolean;
}

/**
 * Sends a request on its own connection.
 *
 * @returns the status; null if the connection ended without a response
 * @throws {Error} if nothing arrives for 15 s
 */
export function sendRaw(url: string, request: RawRequest): Promise<number | null> {
  const { head, isCut } = request;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setTimeout(15_000, () => {
      reject(new Error('The gateway does not answer.'));
      socket.destroy();
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {}); // `close` follows
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0) || null));
    socket.write(Buffer.from(head, 'latin1'));
    const chunks = chunksOf(request);
    const last = isCut ? chunks.length >> 1 : chunks.length;
    for (const chunk of chunks.slice(0, last)) socket.write(chunk);
    if (isCut) socket.end(() => socket.destroy());
  });
}

function chunksOf({ body, cuts, isChunked }: RawRequest): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < body.length; i += 1) {
    const chunk = body.subarray(at, at + (cuts[i % cuts.length] ?? 1));
    at += chunk.length;
    chunks.push(
      isChunked
        ? Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, crlf])
        : chunk,
    );
  }
  return isChunked ? [...chunks, Buffer.from('0\r\n\r\n')] : chunks;
}

const crlf = Buffer.from('\r\n');

type Headers = Readonly<Record<string, string>>;

function rawRequest(
  headers: fc.Arbitrary<Headers>,
  body: fc.Arbitrary<Buffer>,
  start: fc.Arbitrary<string> = fc.constant('POST /graphql'),
): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      start,
      headers,
      body,
      // Most requests have one chunk, which allows more cases.
      cuts: fc.oneof(
        { weight: 3, arbitrary: fc.constant([100_000]) },
        {
          weight: 1,
          arbitrary: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        },
      ),
      isChunked: fc.boolean(),
      isCut: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
    })
    .map(({ start: line, headers: given, ...rest }) => {
      const all: Headers = {
        host: 'localhost',
        accept: 'application/json',
        'x-graphql-yoga-csrf': '1',
        ...given,
        connection: 'close',
        ...(rest.isChunked
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': String(rest.body.length) }),
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      return { ...rest, head: `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n` };
    });
}

const mutation = `mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { __typename } }`;
const operations = JSON.stringify({
  query: mutation,
  variables: { input: { form: 'f', files: [null, null] }, other: null },
});

/** The shortest boundary, which mutations hit often. */
const multipartHeaders = { 'content-type': 'multipart/form-data; boundary=b' };

function part(parameters: string, body: string, more = ''): string {
  return `--b\r\nContent-Disposition: form-data; ${parameters}${more}\r\n\r\n${body}\r\n`;
}

const tokens = fc.constantFrom(
  '--b',
  '--b--',
  '\r\n--b\r\n',
  '\r\n\r\n',
  '\r\n',
  '\r',
  '\n',
  '--',
  '-',
  '\0',
  '"',
  ';',
  '=',
  ':',
  '\\',
  '%00',
  `filename*=UTF-8''a%00`,
  'name="map"',
  'name="operations"',
  'Content-Type: text/plain',
  '\xff',
  '\xef\xbb\xbf',
  '{',
  '}',
  '[',
  ']',
  'null',
  '__proto__',
  'constructor',
  'x'.repeat(20_000),
);

interface Edit {
  readonly at: number;
  readonly deleted: number;
  readonly inserted: string;
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    deleted: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 })),
    inserted: fc.oneof(fc.constant(''), tokens, fc.string({ unit: 'binary-ascii', maxLength: 5 })),
  }),
  { maxLength: 6 },
);

function edited(text: string, changes: readonly Edit[]): Buffer {
  let result = text;
  for (const { at, deleted, inserted } of changes) {
    const index = Math.floor(at * result.length);
    result = result.slice(0, index) + inserted + result.slice(index + deleted);
  }
  return Buffer.from(result, 'latin1');
}

const wholeMultipart =
  part('name="operations"', operations) +
  part('name="map"', '{"0":["variables.input.files.0"],"1":["variables.input.files.1"]}') +
  part('name="0"; filename="a.txt"', 'first', '\r\nContent-Type: text/plain; charset=utf-8') +
  part(`name="1"; filename*=UTF-8''b.txt`, 'second') +
  '--b--\r\n';

const multipartBody = fc.oneof(
  edits.map((changes) => edited(wholeMultipart, changes)),
  fc.array(tokens, { maxLength: 30 }).map((list) => Buffer.from(list.join(''), 'latin1')),
  fc
    .array(tokens, { maxLength: 10 })
    .map((list) => Buffer.from(`--b\r\n${list.join('')}`, 'latin1')),
);

const key = fc.oneof(
  fc.constantFrom(
    'variables',
    'input',
    'files',
    'form',
    'other',
    '0',
    '1',
    '2',
    '00',
    '-1',
    '1e3',
    '4294967295',
    'length',
    '',
    '__proto__',
    'prototype',
    'constructor',
    'hasOwnProperty',
    'toString',
    'call',
    'apply',
    'push',
    'then',
    'toJSON',
    '__defineGetter__',
    'valueOf',
    'query',
    ' ',
  ),
  fc.string({ maxLength: 5 }),
);
const path = fc.oneof(
  fc.array(key, { maxLength: 6 }).map((keys) => keys.join('.')),
  fc.array(key, { maxLength: 6 }).map((keys) => ['variables', ...keys].join('.')),
  fc.constantFrom('variables.other', 'variables.input.files.0', 'variables.input.files.1'),
);
const map = fc.oneof(
  fc.dictionary(fc.oneof(key, fc.constantFrom('0', '1')), fc.array(path, { maxLength: 4 }), {
    maxKeys: 5,
  }),
  fc.jsonValue({ maxDepth: 3 }),
);
const mapBody = fc
  .tuple(map, fc.oneof(fc.constant(operations), fc.json({ maxDepth: 4 })))
  .map(([value, given]) =>
    Buffer.from(
      part('name="operations"', given) +
        part('name="map"', JSON.stringify(value)) +
        part('name="0"; filename="a"', 'a') +
        part('name="1"; filename="b"', 'b') +
        '--b--\r\n',
    ),
  );

const query =
  '{"query":"query Q($id: ID!) { node(id: $id) { id } }","variables":{"id":"RG9j"},"operationName":"Q"}';
const typenameHash = hash('sha256', '{ __typename }');
const documentId = fc.oneof(
  fc.constantFrom(typenameHash, `sha256:${typenameHash}`, 'sha256:', '__proto__', '', null),
  fc.jsonValue({ maxDepth: 1 }),
);
const jsonBody = fc.oneof(
  edits.map((changes) => edited(query, changes)),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .record({
      query: fc.string(),
      variables: fc.jsonValue(),
      operationName: fc.jsonValue(),
      extensions: fc.jsonValue(),
    })
    .map((value) => Buffer.from(JSON.stringify(value))),
  fc
    .record(
      {
        query: fc.oneof(fc.constant('{ __typename }'), fc.string({ unit: 'binary' })),
        documentId,
        extensions: fc.record(
          { persistedQuery: fc.record({ version: fc.constant(1), sha256Hash: documentId }) },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    )
    .map((value) => Buffer.from(JSON.stringify(value))),
  fc
    .tuple(fc.constantFrom('[', '{"a":', '{"query":['), fc.integer({ min: 1, max: 3000 }))
    .map(([open, depth]) => Buffer.from(open.repeat(depth))),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);

const headerValue = fc.oneof(
  fc.constantFrom(
    'application/json',
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary="',
    'gzip',
    'identity',
    'application/json; charset=utf-16',
    '*/*;q=1.5',
    'text/event-stream',
    'Bearer ',
    'a'.repeat(3000),
    ',,,;;;',
    '',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'content-encoding',
    'accept',
    'accept-language',
    'accept-encoding',
    'authorization',
    'svc-run-as',
    'x-request-id',
    'origin',
    'access-control-request-method',
    'host',
    'cookie',
    'traceparent',
    'range',
    'expect',
  ),
  headerValue,
);
const start = fc.oneof(
  fc.constant('POST /graphql'),
  fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'OPTIONS', 'HEAD', 'PUT'),
      fc.constantFrom(
        '/graphql',
        '/graphql?query=',
        '/files/documents/',
        '/files/',
        '/healthz',
        '/',
      ),
      fc
        .string({ unit: 'grapheme-ascii', maxLength: 30 })
        .map((text) => text.replaceAll(/[ #]/g, '%')),
    )
    .map(([method, address, rest]) => `${method} ${address}${rest}`),
);

/** The kinds of generated requests by name. */
export const requests: Readonly<Record<string, fc.Arbitrary<RawRequest>>> = {
  'multipart bodies': rawRequest(fc.constant(multipartHeaders), multipartBody),
  'paths in `map`': rawRequest(fc.constant(multipartHeaders), mapBody),
  'JSON bodies': rawRequest(fc.constant({ 'content-type': 'application/json' }), jsonBody),
  headers: rawRequest(headers, fc.oneof(jsonBody, multipartBody), start),
};
