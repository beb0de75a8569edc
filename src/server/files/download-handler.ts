import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Negotiator from 'negotiator';
import { filePath } from '../../context.ts';
import { conditionHeaders, type Download } from '../../model/document.ts';
import { canonicalId } from '../../model/resource.ts';
import {
  type Coding,
  decodableCodings,
  Dms,
  type HttpClient,
  RequestBudget,
} from '../../rest/index.ts';
import { attachmentOf } from './content-disposition.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { FileLinks } from './file-links.ts';
import type { Identity } from '../identity/index.ts';
import { unknownPath } from '../errors/http-error.ts';
import { headersFor } from '../http/respond.ts';

type FileOptions = Parameters<Dms['recognition']['pdf']>[1];

const maxCalls = 10; // includes retries and the detection of path variants

export function createDownloadHandler(
  http: HttpClient,
  identity: Identity,
  fileLinks: FileLinks,
): (exchange: HttpExchange) => Promise<void> {
  /** Identifies the user by the signed link of a browser, otherwise by the request headers. */
  const callerOf = (exchange: HttpExchange, path: string, token: string | null) => {
    const { headers } = exchange.req;
    if (token === null || !identity.holdsCredential) return identity.identify(headers);
    return identity.callerOfLink(fileLinks.verify(path, token), headers);
  };

  return async (exchange) => {
    const { req } = exchange;
    const url = new URL(req.url ?? '', 'http://gateway');
    const segments = segmentsOf(url.pathname);
    const route = routeOf(segments);
    if (route !== null) exchange.observed?.setRoute(route.template);
    const caller = await callerOf(exchange, filePath(segments), url.searchParams.get('t'));
    exchange.caller = caller;
    const budget = new RequestBudget({
      requestId: exchange.id,
      signal: exchange.signal,
      timeoutMs: exchange.leftMs,
      maxCalls,
      maxInFlight: 1,
      observer: exchange.observed?.calls ?? null,
    });
    exchange.operation = budget;
    if (route === null) throw unknownPath();
    await streamFile(exchange, await route.open(new Dms(http, caller, budget), optionsOf(req)));
  };
}

function segmentsOf(pathname: string): string[] {
  try {
    return pathname
      .split('/')
      .slice(2)
      .map((segment) => canonicalId(decodeURIComponent(segment)));
  } catch {
    throw unknownPath();
  }
}

interface FileRoute {
  readonly template: string;
  readonly open: (dms: Dms, options: FileOptions) => Promise<Download>;
}

function routeOf([documents, document, third, entry, file, ...more]: string[]): FileRoute | null {
  if (documents !== 'documents' || !document || !third || more.length > 0) return null;
  if (entry === undefined) {
    return third === 'pdf'
      ? {
          template: '/files/documents/{document}/pdf',
          open: (dms, options) => dms.recognition.pdf(document, options),
        }
      : {
          template: '/files/documents/{document}/{file}',
          open: (dms, options) => dms.documents.file(document, third, options),
        };
  }
  if (third !== 'reco-data' || file === undefined) return null;
  return {
    template: '/files/documents/{document}/reco-data/{entry}/{file}',
    open: (dms, options) => dms.recognition.file(document, entry, file, options),
  };
}

const maxAcceptLength = 500;

function optionsOf(req: IncomingMessage): FileOptions {
  const { headers, method } = req;
  const isRead = (headers['accept-encoding'] ?? '').length <= maxAcceptLength;
  return {
    head: method === 'HEAD',
    codings: isRead ? (new Negotiator(req).encodings([...decodableCodings]) as Coding[]) : [],
    conditions: Object.fromEntries(
      conditionHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
    ),
  };
}

async function streamFile(
  exchange: HttpExchange,
  { status, headers, body }: Download,
): Promise<void> {
  const { req, res } = exchange;
  const out = {
    // The headers of a 304 replace those of the file that the client has.
    ...(status < 300 ? contentHeadersOf(headers) : headers),
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
  };
  if (req.method !== 'HEAD') await untilReadable(body);
  if (res.destroyed) {
    body.destroy();
    return;
  }
  res.writeHead(status, headersFor(exchange, out));
  if (req.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  await pipeline(body, res);
}

function contentHeadersOf(headers: Download['headers']): OutgoingHttpHeaders {
  return {
    'content-type': 'application/octet-stream',
    ...headers,
    'content-disposition': attachmentOf(headers['content-disposition']),
  };
}

async function untilReadable(body: Readable): Promise<void> {
  if (!body.closed) {
    await new Promise<void>((resolve) => {
      body.once('readable', resolve).once('close', resolve);
    });
  }
  if (body.errored !== null) throw body.errored;
}
