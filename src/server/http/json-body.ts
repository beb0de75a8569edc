import type { IncomingMessage } from 'node:http';
import type { GatewayOptions } from '../options.ts';
import { runInImmediateBatch } from './immediate-batch.ts';
import type { HttpExchange } from './http-exchange.ts';
import { freeChunk } from './body-buffer.ts';
import { RequestBody } from './request-body.ts';
import { requestBytes } from './request-memory.ts';
import { badRequest, HttpError, tooLarge } from '../errors/http-error.ts';

/** A body up to this size counts as part of its request, in bytes, unless it arrives slowly. */
const smallBodyBytes = 1024;
/** Above this size, the part of a body that has arrived is counted, and the nesting is limited, in bytes. */
const minPartBytes = 16 * 1024;
/** The weight of a request in a batch besides its body: some take 10 ms. */
export const requestWeight = 16 * 1024;
/** The buffer of a body that arrives grows by doubling. */
const bufferFactor = 2;
/** What parsed JSON takes at most, in bytes. bench/NOTES.md */
const bytesPerByte = 5;
const bytesPerContainer = 56;
const bytesPerKey = 110;

const what = 'The request body';

/** Limits of a request body. */
export type BodyLimits = Pick<GatewayOptions, 'maxBodyBytes' | 'requestTimeoutMs'>;

/**
 * Reads the JSON body of a request directly from Node's stream.
 *
 * @throws {HttpError} 413 above MAX_BODY_BYTES, 408 if it arrives too slowly, 400 for anything but JSON in UTF-8, 415 as
 * `checkEncoding`, 503 if the memory is used up
 */
export async function readJson(exchange: HttpExchange, limits: BodyLimits): Promise<unknown> {
  const { req } = exchange;
  checkEncoding(req);
  const { maxBodyBytes, requestTimeoutMs } = limits;
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  return new Promise((resolve, reject) => {
    const body = new RequestBody(exchange, reject);
    const buffer = body.createBuffer(maxBodyBytes);
    let isPartial = false;
    body.read((chunk) => {
      const length = buffer.length + chunk.length;
      if (length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
      if (!buffer.add(chunk)) freeChunk(chunk);
      if (isPartial || length > minPartBytes) body.hold(bytesWithBody(0, length));
    });
    req.on('end', () => {
      body.clearDeadline();
      runInImmediateBatch(() => {
        body.guard(() => {
          if (body.isEnded) return;
          const { bytes } = buffer;
          const parsed = parsedBytesOf(bytes, what);
          if (isPartial || parsed > 0) body.holdArrived(bytesWithBody(parsed));
          if (body.isEnded) return;
          resolve(parseRequestJson(bytes, what));
          body.end();
        });
      }, requestWeight + buffer.length);
    });
    // By then, nearly every body is complete and needs no timer.
    runInImmediateBatch(() => {
      if (req.complete || req.destroyed || body.isEnded) return;
      isPartial = true;
      body.setDeadline(requestTimeoutMs);
      body.guard(() => buffer.copy());
      body.hold(bytesWithBody(0, buffer.length));
    }, 0);
  });
}

/**
 * Reads the JSON body of a request that a plugin has replaced or cloned.
 *
 * @throws {HttpError} as `readJson`
 */
export async function readJsonOf(
  request: Request,
  exchange: HttpExchange,
  { maxBodyBytes, requestTimeoutMs }: BodyLimits,
): Promise<unknown> {
  checkEncoding({ headers: Object.fromEntries(request.headers) });
  if (request.bodyUsed)
    throw new Error('A plugin has read the request body. Plugins must read a clone.');
  return new Promise((resolve, reject) => {
    const body = new RequestBody(exchange, reject);
    const buffer = body.createBuffer(maxBodyBytes);
    body.setDeadline(requestTimeoutMs);
    const read = async (): Promise<void> => {
      // Cancelling the stream would destroy Node's request and its response.
      for await (const bytes of request.body?.values({ preventCancel: true }) ?? []) {
        if (body.isEnded) return;
        const length = buffer.length + bytes.length;
        if (length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
        buffer.copy(); // the clone has the same chunk
        buffer.add(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        body.hold(bytesWithBody(0, length));
      }
      body.holdArrived(bytesWithBody(parsedBytesOf(buffer.bytes, what)));
      if (body.isEnded) return;
      resolve(parseRequestJson(buffer.bytes, what));
      body.end();
    };
    read().catch((error: unknown) => body.fail(error));
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Far more than variables can have. A megabyte of opening brackets would be parsed for 0.1 to 0.4 s. */
const maxLevels = 1000;
/**
 * Maximum number of values, where a list counts 1 more and an object 4 more: twice as many as in variables, because this
 * also counts an empty list or object as a value of itself. A megabyte of empty lists would be parsed for 0.1 s.
 */
const maxValues = 250_000;
const [quotationMark, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [arrayStart, arrayEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The memory that JSON takes when it is parsed, in bytes. 0 for a small one, which counts as part of its request.
 *
 * @param name name of the text in error messages
 * @throws {HttpError} 400 for too many levels of nesting or values
 */
export function parsedBytesOf(bytes: Buffer, name: string): number {
  const { length } = bytes;
  if (length <= smallBodyBytes) return 0;
  let [levels, containers, keys, values] = [0, 0, 0, 0];
  let isText = false;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at]!;
    if (byte === backslash) at += 1;
    else if (byte === quotationMark) isText = !isText;
    else if (isText) continue;
    else if (byte === comma) values += 1;
    else if (byte === colon) keys += 1;
    else if (byte === arrayEnd || byte === objectEnd) levels -= 1;
    else if (byte === arrayStart || byte === objectStart) {
      containers += 1;
      values += byte === arrayStart ? 2 : 5;
      levels += 1;
      if (levels > maxLevels && length > minPartBytes) {
        throw badRequest(`${name} must have at most ${maxLevels} levels of nesting.`);
      }
      if (values > maxValues) throw badRequest(`${name} has too many values.`);
    }
  }
  if (values > maxValues) throw badRequest(`${name} has too many values.`);
  return bytesPerByte * length + bytesPerContainer * containers + bytesPerKey * keys;
}

/**
 * Parses JSON in UTF-8, with or without a byte order mark.
 *
 * @param name name of the text in error messages
 * @throws {HttpError} 400
 */
export function parseRequestJson(bytes: Buffer, name: string): unknown {
  let text: string | null = null;
  try {
    text = utf8.decode(bytes);
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`${name} must be ${text === null ? 'encoded in UTF-8' : 'valid JSON'}.`);
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

/**
 * What a request with a body holds, in bytes.
 *
 * @param parsed the sum of `parsedBytesOf`
 * @param partial length of the JSON that is still arriving
 */
export function bytesWithBody(parsed: number, partial = 0): number {
  return requestBytes + parsed + bufferFactor * partial;
}

function bodyTooLarge(maxBodyBytes: number): HttpError {
  return tooLarge(`The request body is too large; MAX_BODY_BYTES allows ${maxBodyBytes} bytes.`);
}
