import type { OutgoingHttpHeaders } from 'node:http';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { loadOnce } from '../model/common.ts';
import { unknownPath } from '../server/errors/http-error.ts';
import type { HttpExchange } from '../server/http/http-exchange.ts';
import { createStaticFile, sendFile, type StaticFile } from '../server/http/static-file.ts';

interface FrontEndOptions {
  /**
   * Absolute path of a directory with `index.html` and `assets/`. The name of a file in `assets/` must change with its
   * content.
   */
  readonly directory: string;
  readonly policy: readonly string[];
  readonly vary?: string;
  readonly settings?: () => object;
}

const sharedPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

interface FrontEndHandler {
  sendPage(exchange: HttpExchange): Promise<void>;
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
