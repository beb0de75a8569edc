import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { defineGateway } from '../../src/index.ts';
import { schemaWith } from '../../src/schema/index.ts';
import type { FileUpload } from '../../src/schema/public.ts';
import { Upload } from '../../src/testing/index.ts';
import { startGateway } from '../helpers/gateway.ts';
import {
  multipart,
  multipartHeaders,
  startUpload,
  type Part,
} from '../helpers/multipart-request.ts';
import { createResolvers } from '../helpers/resolvers.ts';

/* Mutations of a team that receive files. */

type Store = (files: readonly Promise<FileUpload>[]) => Promise<string>;

const configWith = (store: Store) =>
  defineGateway({
    schema: (builder) =>
      builder.mutationField('store', (t) =>
        t.string({
          nullable: true,
          args: { files: t.arg({ type: ['Upload'], required: true }) },
          resolve: (_root, { files }) => store(files),
        }),
      ),
  });

/** Name, type, encoding and content of each file. */
const readAll: Store = async (files) => {
  const read: string[] = [];
  for (const file of files) {
    const { filename, mimetype, encoding, createReadStream } = await file;
    read.push(`${filename} ${mimetype} ${encoding} ${await text(createReadStream())}`);
  }
  return read.join('\n');
};

const mutation = 'mutation ($files: [Upload!]!) { store(files: $files) }';

function partsWith(...bodies: readonly string[]): Part[] {
  const variables = { files: bodies.map(() => null) };
  const map = Object.fromEntries(bodies.map((_, i) => [`${i}`, [`variables.files.${i}`]]));
  return [
    { name: 'operations', body: JSON.stringify({ query: mutation, variables }) },
    { name: 'map', body: JSON.stringify(map) },
    ...bodies.map((body, i) => ({ name: `${i}`, filename: `${i}.txt`, body })),
  ];
}

const start = (store: Store) =>
  startGateway({ parts: { schema: schemaWith(null, configWith(store).schema!) } });

describe('a resolver of a team', () => {
  it('receives files as graphql-upload-minimal defines them', async () => {
    const gateway = await start(readAll);
    const large = 'b'.repeat(300_000);
    const { data } = await gateway.upload(partsWith('a', large));
    const type = 'application/octet-stream 7bit';
    expect(data).toEqual({ store: `0.txt ${type} a\n1.txt ${type} ${large}` });
  });

  it('receives the type and encoding of the client', async () => {
    const gateway = await start(readAll);
    const sent = multipart(partsWith('aGk=')).toString();
    const headers = 'Content-Type: text/plain\r\nContent-Transfer-Encoding: BASE64';
    const body = sent.replace('filename="0.txt"', `$&\r\n${headers}`);
    const response = await gateway.post(body, multipartHeaders);
    expect(await response.json()).toEqual({ data: { store: '0.txt text/plain base64 aGk=' } });
  });

  it('can ignore files, and leave a stream unread or destroy it', async () => {
    const gateway = await start(async ([first, second, , fourth]) => {
      (await first!).createReadStream().destroy();
      const stream = (await second!).createReadStream();
      stream.on('data', () => stream.destroy(new Error('enough')));
      await finished(stream).catch(() => {});
      return text((await fourth!).createReadStream());
    });
    const large = 'x'.repeat(300_000);
    const { data, errors } = await gateway.upload(partsWith(large, large, 'c', 'd'));
    expect(errors).toBeUndefined();
    expect(data).toEqual({ store: 'd' });
  });

  it('cannot read a file twice', async () => {
    const gateway = await start(async ([first]) => {
      const { createReadStream } = await first!;
      return (await text(createReadStream())) + (await text(createReadStream()));
    });
    const { errors } = await gateway.upload(partsWith('a'));
    expect(errors).toMatchObject([
      { message: 'A file can be read only once.', extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('receives an error if the client goes away, which harms nothing if it is not handled', async () => {
    const opened = Promise.withResolvers<Readable>();
    const gateway = await start(async ([first]) => {
      const stream = (await first!).createReadStream();
      opened.resolve(stream.resume());
      return 'not read';
    });
    const { req } = startUpload(gateway.url);
    req.write(multipart(partsWith('a'.repeat(1000), 'b')).subarray(0, 800));
    const stream = await opened.promise;
    const error = finished(stream).catch((reason: Error) => reason.message);
    req.destroy();
    expect(await error).toBe('The upload was interrupted.');
    expect((await gateway.query('{ __typename }')).data).toEqual({ __typename: 'Query' });
  });

  it('is not called with JSON in place of a file', async () => {
    const gateway = await start(() => Promise.reject(new Error('called')));
    const { errors } = await gateway.query(mutation, { files: [{ promise: {} }] });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors![0]!.message).toContain('Upload value invalid.');
  });
});

describe('a resolver test', () => {
  const fileWith = (content: string, filename = 'a.txt'): Upload => {
    const upload = new Upload();
    const createReadStream = () => Readable.from([Buffer.from(content)]);
    upload.resolve({
      fieldName: '0',
      filename,
      mimetype: 'text/plain',
      encoding: '7bit',
      createReadStream,
    });
    return upload;
  };

  it('makes the files of a mutation of a team', async () => {
    const { run } = createResolvers({ config: configWith(readAll) });
    const { data } = await run(mutation, { files: [fileWith('hello')] });
    expect(data).toEqual({ store: 'a.txt text/plain 7bit hello' });
  });

  it('makes the files of createDocument, which are sent in their order', async () => {
    const { dms, run } = createResolvers();
    dms.reply(
      'POST',
      '/api/v2/docForm/form/memo',
      { _id: '5f0000000000000000000001' },
      { status: 201 },
    );
    const { data, codes } = await run(
      'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { __typename } }',
      { input: { form: 'memo', files: [fileWith('1st', 'b.txt'), fileWith('2nd', 'a.txt')] } },
    );
    expect(codes).toEqual([]);
    expect(data).toEqual({ createDocument: { __typename: 'CreateDocumentPayload' } });
    expect(dms.received[0]!.body).toMatch(/b\.txt[^]+text\/plain[^]+1st[^]+a\.txt[^]+2nd/);
  });
});
