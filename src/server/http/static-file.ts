import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { loadOnce } from '../../model/common.ts';
import type { HttpExchange } from './http-exchange.ts';
import { matchesEtag, send } from './respond.ts';

export interface StaticFile {
  readonly content: Buffer;
  readonly etag: string;
  readonly contentType: string;
  readonly encoded: Readonly<Record<Coding, () => Promise<Buffer>>>;
}

type Coding = 'br' | 'gzip';

const codings: readonly Coding[] = ['br', 'gzip'];

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.graphql': 'text/plain; charset=utf-8', // browsers show it
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

export async function sendFile(
  exchange: HttpExchange,
  file: StaticFile,
  additional: OutgoingHttpHeaders,
): Promise<void> {
  const { req } = exchange;
  const accepted = new Negotiator(req).encodings([...codings, 'identity']);
  const coding =
    accepted[0] === 'identity' ? undefined : codings.find((one) => accepted.includes(one));
  // The codings differ in their bytes, so each has an ETag of its own.
  const etag = coding === undefined ? `"${file.etag}"` : `"${file.etag}-${coding}"`;
  const headers = {
    'content-type': file.contentType,
    etag,
    vary: 'accept-encoding',
    ...additional,
  };
  if (matchesEtag(req.headers['if-none-match'], etag)) send(exchange, 304, headers);
  else if (coding === undefined) send(exchange, 200, headers, file.content);
  else {
    const content = await file.encoded[coding]();
    send(exchange, 200, { ...headers, 'content-encoding': coding }, content);
  }
}

export function createStaticFile(name: string, content: Buffer): StaticFile {
  // Higher levels need seconds of CPU time for few bytes.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return {
    content,
    etag: createHash('sha256').update(content).digest('base64url'),
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    encoded: {
      br: loadOnce(() => promisify(brotliCompress)(content, { params })),
      gzip: loadOnce(() => promisify(gzip)(content)),
    },
  };
}
