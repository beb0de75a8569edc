import type { IncomingMessage } from 'node:http';
import type { GatewayOptions } from '../options.ts';
import { ByteBuffer, runInImmediateBatch } from '../../rest/client/receive-body.ts';
import type { HttpExchange } from './http-exchange.ts';
import { requestBytes } from './request-memory.ts';
import { badRequest, bodyTimeout, busy, HttpError, tooLarge } from '../errors/http-error.ts';

/** A body up to this size counts as part of its request, in bytes. */
const smallBodyBytes = 16 * 1024;
/** The weight of a request in a batch besides its body: some take 10 ms. */
export const requestWeight = 16 * 1024;
/** The buffer of a body that arrives grows by doubling. */
const bufferFactor = 2;
/** JSON takes up to about ten times as much memory when it is parsed, but not in requests that are accepted. */
const parsedFactor = 8;

/** Limits of a request body. */
export type BodyLimits = Pick<GatewayOptions, 'maxBodyBytes' | 'requestTimeoutMs'>;

/**
 * Reads the JSON body of a request directly from Node's stream.
 *
 * @throws {HttpError} 413 above MAX_BODY_BYTES, 408 if it arrives too slowly, 400 for anything but JSON in UTF-8, 415 as
 * `checkEncoding`
 */
export async function readJson(exchange: HttpExchange, limits: BodyLimits): Promise<unknown> {
  checkEncoding(exchange.req);
  return parseRequestJson(await readBytes(exchange, limits), 'The request body');
}

/**
 * Reads the JSON body of a request that a plugin has replaced or cloned.
 *
 * @throws {HttpError} as `readJson`
 */
export async function readJsonOf(request: Request, limits: BodyLimits): Promise<unknown> {
  checkEncoding({ headers: Object.fromEntries(request.headers) });
  if (request.bodyUsed)
    throw new Error('A plugin has read the request body. Plugins must read a clone.');
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(bodyTimeout()), limits.requestTimeoutMs);
  try {
    const bytes = await Promise.race([readBytesOf(request, limits), timeout.promise]);
    return parseRequestJson(bytes, 'The request body');
  } finally {
    clearTimeout(timer);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Far more than variables can have. A megabyte of opening brackets would be parsed for 0.1 to 0.4 s. */
const maxLevels = 1000;
const [quotationMark, backslash] = [0x22, 0x5c];
const [arrayStart, arrayEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

function isTooDeep(bytes: Buffer): boolean {
  let levels = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === quotationMark) isText = !isText;
    else if (byte === backslash) at += 1;
    else if (isText) continue;
    else if (byte === arrayEnd || byte === objectEnd) levels -= 1;
    else if (byte === arrayStart || byte === objectStart) {
      levels += 1;
      if (levels > maxLevels) return true;
    }
  }
  return false;
}

/**
 * Parses JSON in UTF-8, with or without a byte order mark.
 *
 * @param what name of the text in error messages
 * @throws {HttpError} 400
 */
export function parseRequestJson(bytes: Buffer, what: string): unknown {
  let text: string | null = null;
  if (bytes.length > smallBodyBytes && isTooDeep(bytes)) {
    throw badRequest(`${what} must have at most ${maxLevels} levels of nesting.`);
  }
  try {
    text = utf8.decode(bytes);
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`${what} must be ${text === null ? 'encoded in UTF-8' : 'valid JSON'}.`);
  }
}

/** The media types of JSON requests. */
export const jsonTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/graphql+json',
]);
const formTypes = ['application/x-www-form-urlencoded', 'application/graphql'];

/**
 * Rejects forms and plain GraphQL texts, which Yoga always parses. A page of any site can send a form without a
 * preflight.
 *
 * @throws {HttpError} 415
 */
export function checkBodyType({ req, mediaType }: HttpExchange): void {
  if (req.method === 'POST' && formTypes.includes(mediaType)) throw unsupported();
}

/** The error (415) of a body that is neither JSON nor an upload. */
export function unsupported(): HttpError {
  const message = 'The content type must be application/json, or multipart/form-data for uploads.';
  return new HttpError(415, 'BAD_USER_INPUT', message);
}

/**
 * Rejects a body that is compressed or has a charset other than UTF-8.
 *
 * @throws {HttpError} 415
 */
export function checkEncoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const coding = headers['content-encoding'];
  // Node trims header values. A pattern with `\s` at both ends would take time that is quadratic in the length of the
  // value, because `\s` includes a byte that is valid in headers (0xA0).
  if (coding !== undefined && !/^(?:identity)?$/i.test(coding)) {
    const message = `The content encoding ${quote(coding)} is not supported. Send the body uncompressed.`;
    throw new HttpError(415, 'BAD_USER_INPUT', message, {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  const type = headers['content-type'] ?? '';
  if (!type.includes(';')) return;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  const message = `The charset ${quote(charset)} is not supported. Send the body in UTF-8.`;
  throw new HttpError(415, 'BAD_USER_INPUT', message);
}

/** Quotes a header value in a message: short, and with printable ASCII only. */
function quote(value: string): string {
  return `"${value.slice(0, 40).replaceAll(/[^ -~]/g, '?')}"`;
}

async function readBytesOf(request: Request, { maxBodyBytes }: BodyLimits): Promise<Buffer> {
  const body = new ByteBuffer();
  // Cancelling the stream would destroy Node's request and its response.
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    body.add(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (body.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  }
  return body.take();
}

/**
 * What a request with a body holds, in bytes.
 *
 * @param parsed length of the JSON that is complete
 * @param partial length of the JSON that is still arriving
 */
export function bytesWithBody(parsed: number, partial = 0): number {
  const ofValues = parsed > smallBodyBytes ? parsedFactor * parsed : 0;
  return requestBytes + ofValues + bufferFactor * partial;
}

function readBytes({ req, memory }: HttpExchange, limits: BodyLimits): Promise<Buffer> {
  const { maxBodyBytes, requestTimeoutMs } = limits;
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) {
      reject(bodyTooLarge(maxBodyBytes));
      return;
    }
    const body = new ByteBuffer();
    let isStopped = false;
    let timer: NodeJS.Timeout | undefined;
    const stop = (error: HttpError): void => {
      isStopped = true;
      clearTimeout(timer);
      req.off('data', take);
      body.release();
      req.pause(); // the rest is discarded after the response
      reject(error);
    };
    let isPartial = false;
    const holdPart = (): void => {
      try {
        memory.hold(bytesWithBody(0, body.length), () => stop(busy()));
      } catch (error) {
        stop(error as HttpError);
      }
    };
    const take = (chunk: Buffer): void => {
      body.add(chunk);
      if (body.length > maxBodyBytes) stop(bodyTooLarge(maxBodyBytes));
      else if (isPartial || body.length > smallBodyBytes) holdPart();
    };
    req.on('data', take);
    req.on('end', () => {
      clearTimeout(timer);
      runInImmediateBatch(() => {
        if (isStopped) return;
        try {
          if (isPartial || body.length > smallBodyBytes) memory.hold(bytesWithBody(body.length));
          resolve(body.take());
        } catch (error) {
          stop(error as HttpError);
        }
      }, requestWeight + body.length);
    });
    // Without a listener for `error`, Node only emits `close`, which follows in both cases.
    req.on('close', () => {
      clearTimeout(timer);
      if (req.complete) return;
      body.release();
      reject(badRequest('The request body is incomplete.'));
    });
    // By then, nearly every body is complete and needs no timer.
    runInImmediateBatch(() => {
      if (req.complete || req.destroyed || isStopped) return;
      timer = setTimeout(() => stop(bodyTimeout()), requestTimeoutMs);
      isPartial = true;
      holdPart();
    }, 0);
  });
}

function bodyTooLarge(maxBodyBytes: number): HttpError {
  return tooLarge(`The request body is too large; MAX_BODY_BYTES allows ${maxBodyBytes} bytes.`);
}
