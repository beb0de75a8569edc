import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createContext, type GatewayContext } from '../../context.ts';
import type { Download } from '../../model/transfer.ts';
import { createRequestBudget } from '../../rest/client/resilience/request-budget.ts';
import type { HttpClient } from '../../rest/client/http-client.ts';
import { attachmentOf } from './content-disposition.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { FileLinks } from './file-links.ts';
import type { Identity } from '../identity/index.ts';
import { HttpError } from '../errors/http-error.ts';
import { headersFor } from '../http/respond.ts';

type Dms = GatewayContext['dms'];

export interface DownloadLimits {
  /** Longest silence while a file is on its way. */
  readonly requestTimeoutMs: number;
}

const maxCalls = 10; // repeated ones, and the one that finds out which spelling of a path the DMS knows
const noRequestInfo = { languages: [], fileUrl: () => '' };

/** What describes the content and goes on to the client as the DMS says it. */
const forwardedHeaders = [
  'content-type',
  'content-encoding',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
];

/** Streams files from the DMS to whoever may see them there. */
export function createDownloadHandler(
  limits: DownloadLimits,
  http: HttpClient,
  identity: Identity,
  fileLinks: FileLinks,
): (exchange: HttpExchange) => Promise<void> {
  /** By the signed link of a browser, or by the headers of a client. */
  const callerOf = (exchange: HttpExchange, path: string, token: string | null) => {
    const { headers } = exchange.req;
    if (token === null || !identity.holdsCredential) return identity.identify(headers);
    return identity.callerOfLink(fileLinks.verify(path, token), headers);
  };

  return async (exchange) => {
    const { req } = exchange;
    const url = new URL(req.url ?? '', 'http://gateway');
    const segments = segmentsOf(url.pathname);
    const caller = await callerOf(exchange, filePath(segments), url.searchParams.get('t'));
    const budget = createRequestBudget({
      requestId: exchange.id,
      signal: exchange.connection,
      timeoutMs: limits.requestTimeoutMs,
      maxCalls,
      maxInFlight: 1,
    });
    exchange.budget = budget;
    const { dms } = createContext(http, caller, budget, noRequestInfo);
    await sendFile(exchange, await open(dms, segments, req));
  };
}

/**
 * The one spelling of the address of a file; what a link is signed for. An id with half a surrogate pair, which no
 * address can hold, gets one at which there is nothing.
 */
export function filePath(segments: readonly string[]): string {
  return `/files/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`;
}

/** @throws {HttpError} 404 */
function segmentsOf(pathname: string): string[] {
  try {
    return pathname.split('/').slice(2).map(decodeURIComponent);
  } catch {
    throw notFound();
  }
}

function notFound(): HttpError {
  return new HttpError(404, 'NOT_FOUND', 'There is no resource at this URL.');
}

/**
 * `documents/{doc}/{file}`, `documents/{doc}/pdf` or `documents/{doc}/reco-data/{entry}/{file}`.
 * @throws {RestError | HttpError}
 */
function open(dms: Dms, segments: readonly string[], req: IncomingMessage): Promise<Download> {
  const [documents, document = '', third = '', entry = '', file = ''] = segments;
  const { range, 'if-range': ifRange } = req.headers;
  const options = {
    head: req.method === 'HEAD',
    ...(range !== undefined && { range }),
    ...(typeof ifRange === 'string' && { ifRange }),
  };
  if (documents !== 'documents' || document === '' || third === '') throw notFound();
  if (segments.length === 3) {
    return third === 'pdf'
      ? dms.recognition.pdf(document, options)
      : dms.documents.file(document, third, options);
  }
  if (segments.length !== 5 || third !== 'reco-data') throw notFound();
  return dms.recognition.file(document, entry, file, options);
}

/** Never a clean end for a file that is not whole: the connection is cut instead. */
async function sendFile(
  exchange: HttpExchange,
  { status, headers, body }: Download,
): Promise<void> {
  const { req, res } = exchange;
  const out: Record<string, string> = {};
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (value !== undefined) out[name] = value;
  }
  out['content-type'] ??= 'application/octet-stream';
  out['content-disposition'] = attachmentOf(headers['content-disposition']);
  out['content-security-policy'] = "sandbox; default-src 'none'; frame-ancestors 'none'";
  out['cache-control'] = 'private, no-store';
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
