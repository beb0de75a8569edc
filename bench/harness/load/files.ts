import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import type { Pool } from 'undici';

import { blocks, crcOfFile } from '../../upstream/block.ts';
import { RANGES, credentials, documentId, fileId } from '../../upstream/ids.ts';
import { QUERIES } from '../../workloads/queries.ts';
import { dispatchRequest } from './dispatch-request.ts';

/** A boundary as Chrome generates it. Its length determines how fast a body is searched. */
const BOUNDARY = '----WebKitFormBoundaryQ3dTzB9xLkVfWm2a';

function part(name: string, content: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
}

function identity(caller: number): Record<string, string> {
  const { authorization, runAs } = credentials(caller);
  return { authorization, 'svc-run-as': runAs };
}

/**
 * Uploads a file according to the GraphQL multipart request specification. The response must contain the size and
 * CRC-32 that the upstream received. The body has a Content-Length, as in browsers.
 *
 * @throws {Error} if the file did not arrive completely
 */
export async function upload(pool: Pool, bytes: number, caller: number): Promise<void> {
  const operations = { operationName: 'W6', query: QUERIES.W6, variables: { file: null } };
  const head = Buffer.from(
    part('operations', JSON.stringify(operations)) +
      part('map', JSON.stringify({ '0': ['variables.file'] })) +
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="0"; filename="bench.bin"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  function* body(): Generator<Buffer> {
    yield head;
    yield* blocks(bytes);
    yield tail;
  }
  const { status, body: answer } = await dispatchRequest(
    pool,
    {
      method: 'POST',
      path: '/graphql',
      headers: {
        ...identity(caller),
        accept: 'application/json',
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': String(head.length + bytes + tail.length),
        'x-graphql-yoga-csrf': '1',
        'apollo-require-preflight': 'true',
      },
      body: Readable.from(body(), { objectMode: false, highWaterMark: 1024 * 1024 }),
    },
    true,
  );
  const expected = { createDocument: { document: { shortId: `UP-${bytes}-${crcOfFile(bytes)}` } } };
  const wanted = JSON.stringify({ data: expected });
  if (status !== 200 || JSON.stringify(JSON.parse(answer.toString())) !== wanted) {
    throw new Error(`upload: status ${status}, got ${answer.toString()}, expected ${wanted}`);
  }
}

/**
 * Downloads a file. If `whole` is false, only its length is compared.
 *
 * @throws {Error} if the status, the length or the content is wrong
 */
export async function download(
  pool: Pool,
  bytes: number,
  caller: number,
  whole: boolean,
): Promise<void> {
  const path = `/files/documents/${documentId(caller, RANGES.single)}/${fileId(bytes)}`;
  await new Promise<void>((resolve, reject) => {
    let status = 0;
    let got = 0;
    let crc = 0;
    pool.dispatch(
      { method: 'GET', path, headers: identity(caller) },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          got += chunk.length;
          if (whole) crc = crc32(chunk, crc);
        },
        onResponseEnd() {
          const wrong = status !== 200 || got !== bytes || (whole && crc !== parseCrc(bytes));
          if (wrong) reject(new Error(`download: status ${status}, ${got} of ${bytes} bytes`));
          else resolve();
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}

const parseCrc = (bytes: number): number => parseInt(crcOfFile(bytes), 16);
