import { randomUUID } from 'node:crypto';

import type { UploadedFile } from './dms.ts';

/** A multipart body that streams its files one after the other. */
export function multipartBody(files: readonly UploadedFile[]): {
  contentType: string;
  body: AsyncGenerator<Buffer>;
} {
  const boundary = `bench-${randomUUID()}`;
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: parts(boundary, files) };
}

async function* parts(boundary: string, files: readonly UploadedFile[]): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="docForm"\r\n` +
      'Content-Type: application/json\r\n\r\n{}\r\n',
  );
  for (const { filename, createReadStream } of files) {
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${filename}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    );
    yield* createReadStream() as AsyncIterable<Buffer>;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}
