import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { HttpExchange } from './http-exchange.ts';
import { unknownPath } from '../errors/http-error.ts';
import { send } from './respond.ts';

/** A file in memory. */
export interface StaticFile {
  readonly content: Buffer;
  readonly etag: string;
  readonly contentType: string;
  /** The content in a coding. Compressed when it is first requested. */
  readonly encoded: Readonly<Record<Coding, () => Promise<Buffer>>>;
}

type Coding = 'br' | 'gzip';

/** The best first. */
const codings: readonly Coding[] = ['br', 'gzip'];

/** A built front end, and how it is served. */
interface FrontEndOptions {
  /**
   * Absolute path of a directory with `index.html` and `assets/`. The name of a file in `assets/` must change with its
   * content.
   */
  readonly directory: string;
  /** Directives of the content security policy besides those that all pages share. */
  readonly policy: readonly string[];
  /** `Vary` of `index.html`. Default: `accept-encoding`. */
  readonly vary?: string;
  /** Returns the settings of the page: the content of its element `<script id="settings">`. Default: as it is. */
  readonly settings?: () => object;
}

/** What every page of the gateway can do: only what the gateway itself serves. */
const sharedPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.graphql': 'text/plain; charset=utf-8', // browsers show it
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Sends the files of a front end. */
interface FrontEndHandler {
  /** Sends `index.html`, which browsers revalidate on each visit. */
  sendPage(exchange: HttpExchange): Promise<void>;
  /** Sends another file, which browsers keep for a year. Rejects with an HttpError: 404 for an unknown one. */
  sendAsset(exchange: HttpExchange, path: string): Promise<void>;
}

/**
 * Creates the handlers of a front end. They read and hash all files on the first request and keep them in memory. They
 * serve only files that are in the directory at that time, so that a path cannot lead outside of it. Responses have an
 * `ETag`.
 */
export function createFrontEndHandler({
  directory,
  policy,
  vary,
  settings,
}: FrontEndOptions): FrontEndHandler {
  const load = loadOnce(() => readFiles(directory, settings));
  const headers = { 'content-security-policy': [...sharedPolicy, ...policy].join('; ') };
  const sendIfFound = async (exchange: HttpExchange, path: string, more: OutgoingHttpHeaders) => {
    const file = (await load()).get(path);
    if (file === undefined) throw unknownPath();
    await sendFile(exchange, file, { ...headers, ...more });
  };
  return {
    sendPage: (exchange) =>
      sendIfFound(exchange, indexPath, { 'cache-control': 'no-cache', ...(vary && { vary }) }),
    sendAsset(exchange, path) {
      if (path === indexPath) throw unknownPath();
      return sendIfFound(exchange, path, {
        'cache-control': 'public, max-age=31536000, immutable',
      });
    },
  };
}

const indexPath = '/index.html';

/** Sends a file with additional headers, or 304 if the client has it. */
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

/** Whether `If-None-Match` contains the ETag, or is `*`. Proxies can have made it a weak one. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const etags = header.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return header === '*' || etags.includes(etag);
}

/** All files of the directory by URL path. */
async function readFiles(
  directory: string,
  settings: (() => object) | undefined,
): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        const urlPath = `/${relative(directory, path).split(sep).join('/')}`;
        const content = await readFile(path);
        const isIndex = settings !== undefined && urlPath === indexPath;
        const file = createStaticFile(name, isIndex ? withSettings(content, settings()) : content);
        return [urlPath, file] as const;
      }),
    ),
  );
}

function withSettings(page: Buffer, settings: object): Buffer {
  // In a script element, `</script` and `<!--` have a meaning; in a replacement, `$` has.
  const json = JSON.stringify(settings).replaceAll('<', String.raw`\u003c`);
  return Buffer.from(page.toString().replace(/(?<= id="settings">)[^<]*/, () => json));
}

/** Hashes a file. The extension of its name determines its content type. */
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
