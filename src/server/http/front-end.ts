import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { HttpExchange } from './http-exchange.ts';
import { unknownPath } from '../errors/http-error.ts';
import type { FrontEnd } from '../options.ts';
import { send } from './respond.ts';

/** The content codings. */
const codings = ['gzip', 'br', 'identity'] as const;

/** A file in memory, as it is and compressed. */
export interface StaticFile {
  readonly bytes: Readonly<Record<(typeof codings)[number], Buffer>>;
  readonly etag: string;
  readonly contentType: string;
}

/** `Cache-Control` of a file whose URL changes with its content. */
export const immutable = 'public, max-age=31536000, immutable';

const indexPath = '/index.html';
const assetsPrefix = '/assets/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.graphql': 'text/plain; charset=utf-8', // browsers show it
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Only what the gateway itself serves. Files of documents are downloaded with `fetch`, and shown from `blob:` URLs: the
 * gateway sends them as attachments, which a frame or an image of another page could not show either. A PDF viewer is a
 * plugin of the frame, which inherits this policy.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  'frame-src blob:',
  'object-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Whether a front end answers this path: `/`, `/assets/…`, and the routes `/app` and `/app/…` of its pages. */
export function isFrontEndPath(path: string): boolean {
  return path === '/' || isPageRoute(path) || path.startsWith(assetsPrefix);
}

/**
 * Creates the handler of the paths of `isFrontEndPath`. It reads, hashes and compresses all files on the first request
 * and keeps them in memory. It serves only files that are in the directory at that time, so that a path cannot lead
 * outside of it.
 *
 * Responses have an `ETag`. Assets can be cached for a year, pages are revalidated. The handler rejects with an
 * HttpError: 404 for an unknown asset.
 */
export function createFrontEndHandler({
  directory,
}: FrontEnd): (exchange: HttpExchange, path: string) => Promise<void> {
  const load = loadOnce(() => readFiles(directory));
  return async (exchange, path) => {
    const files = await load();
    const isPage = path === '/' || isPageRoute(path);
    const file = files.get(isPage ? indexPath : path);
    if (file === undefined) throw unknownPath();
    const cacheControl = isPage ? 'no-cache' : immutable;
    sendFile(exchange, file, {
      'cache-control': cacheControl,
      'content-security-policy': policy,
    });
  };
}

function isPageRoute(path: string): boolean {
  return path === '/app' || path.startsWith('/app/');
}

/** Sends a file with additional headers, or 304 if the client has it. */
export function sendFile(
  exchange: HttpExchange,
  file: StaticFile,
  additional: OutgoingHttpHeaders,
): void {
  const { req } = exchange;
  const accepted = new Negotiator(req).encoding([...codings]);
  const coding = codings.find((one) => one === accepted) ?? 'identity';
  // The encodings differ in their bytes, so each has an ETag of its own.
  const etag = coding === 'identity' ? `"${file.etag}"` : `"${file.etag}-${coding}"`;
  const headers = {
    'content-type': file.contentType,
    etag,
    vary: 'accept-encoding',
    ...additional,
  };
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    send(exchange, 304, headers);
    return;
  }
  const encoding = coding === 'identity' ? {} : { 'content-encoding': coding };
  send(exchange, 200, { ...headers, ...encoding }, file.bytes[coding]);
}

/** Whether `If-None-Match` contains the ETag, or is `*`. Proxies can have made it a weak one. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const etags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return header === '*' || etags.includes(etag);
}

/** All files of the directory by URL path. */
async function readFiles(directory: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        const urlPath = `/${relative(directory, path).split(sep).join('/')}`;
        return [urlPath, await createStaticFile(name, await readFile(path))] as const;
      }),
    ),
  );
}

/** Hashes and compresses a file. The extension of its name determines its content type. */
export async function createStaticFile(name: string, content: Buffer): Promise<StaticFile> {
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(content),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  return {
    bytes: { gzip: gzipped, br: brotli, identity: content },
    etag: createHash('sha256').update(content).digest('base64url'),
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
  };
}

/** Returns a function that loads a value when it is first called. After a failure, the next call loads again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    if (loading === null) {
      loading = load();
      loading.catch(() => (loading = null));
    }
    return loading;
  };
}
