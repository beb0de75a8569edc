import type { IncomingMessage } from 'node:http';
import { ByteBuffer, ImmediateBatch } from '../../rest/index.ts';
import { badRequest, HttpError, tooLarge } from '../errors/http-error.ts';
import type { Settings } from '../../config/read-config.ts';
import type { HttpExchange } from './http-exchange.ts';
import { RequestBody } from './request-body.ts';

export type BodyLimits = Pick<Settings, 'maxBodyBytes'>;

const what = 'The request body';
const arrivals = new ImmediateBatch();

/**
 * Reads the JSON body of a request directly from Node's stream.
 *
 * @throws {HttpError} 413 above MAX_BODY_BYTES, 408 if it arrives too slowly, 400 for anything but JSON in UTF-8, 415 as
 * `checkEncoding`, 503 if the bodies of all requests are too large
 */
export function readJson(exchange: HttpExchange, limits: BodyLimits): Promise<unknown> {
  return readBody(exchange, limits, (bytes) => parseRequestJson(bytes, what));
}

export async function readBody<T>(
  exchange: HttpExchange,
  limits: BodyLimits,
  parse: (bytes: Buffer) => T,
): Promise<T> {
  const { req } = exchange;
  checkEncoding(req);
  const { maxBodyBytes } = limits;
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  return new Promise((resolve, reject) => {
    const body = new RequestBody(exchange, reject);
    const buffer = new ByteBuffer();
    body.read((chunk) => collect(chunk, buffer, exchange, limits));
    req.on('end', () => {
      arrivals.add(() => {
        body.guard(() => {
          resolve(parse(buffer.take()));
          body.end();
        });
      });
    });
  });
}

export async function readJsonOf(
  request: Request,
  exchange: HttpExchange,
  limits: BodyLimits,
): Promise<unknown> {
  checkEncoding({ headers: Object.fromEntries(request.headers) });
  if (request.bodyUsed)
    throw new Error('A plugin has read the request body. Plugins must read a clone.');
  return new Promise((resolve, reject) => {
    const body = new RequestBody(exchange, reject);
    const buffer = new ByteBuffer();
    const read = async (): Promise<void> => {
      // Cancelling the stream would destroy Node's request and its response.
      for await (const bytes of request.body?.values({ preventCancel: true }) ?? []) {
        if (body.isEnded) return;
        collect(Buffer.from(bytes), buffer, exchange, limits);
      }
      resolve(parseRequestJson(buffer.take(), what));
      body.end();
    };
    read().catch((error: unknown) => body.fail(error));
  });
}

function collect(
  chunk: Buffer,
  buffer: ByteBuffer,
  exchange: HttpExchange,
  { maxBodyBytes }: BodyLimits,
): void {
  if (buffer.length + chunk.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  exchange.holdBody(chunk.length);
  buffer.add(chunk);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON in UTF-8, with or without a byte order mark.
 *
 * @param name name of the text in error messages
 * @throws {HttpError} 400, also for too many levels of nesting, values or keys
 */
export function parseRequestJson(bytes: Buffer, name: string): unknown {
  if (bytes.length > minCheckedBytes) checkShape(bytes, name);
  let text: string | null = null;
  try {
    text = utf8.decode(bytes);
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(`${name} must be ${text === null ? 'encoded in UTF-8' : 'valid JSON'}.`);
  }
}

/** A smaller body cannot exceed the limits of `checkShape`, or is parsed in a millisecond. */
const minCheckedBytes = 16 * 1024;
/** Far more than variables can have. A megabyte of opening brackets would be parsed for 0.1 to 0.4 s. */
const maxLevels = 1000;
/**
 * Maximum number of values, where a list counts 1 more and an object 4 more: twice as many as in variables, because this
 * also counts an empty list or object as a value of itself. A megabyte of empty lists would be parsed for 0.1 s.
 */
const maxValues = 250_000;
/** A megabyte of different keys would be parsed for 0.5 s. */
const maxKeys = 20_000;
const [quotationMark, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [arrayStart, arrayEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Rejects JSON that would be parsed for too long. @throws {HttpError} 400 */
function checkShape(bytes: Buffer, name: string): void {
  let [levels, keys, values] = [0, 0, 0];
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === backslash) at += 1;
    else if (byte === quotationMark) isText = !isText;
    else if (isText) continue;
    else if (byte === comma) values += 1;
    else if (byte === colon) keys += 1;
    else if (byte === arrayEnd || byte === objectEnd) levels -= 1;
    else if (byte === arrayStart || byte === objectStart) {
      levels += 1;
      values += byte === arrayStart ? 2 : 5;
      if (levels > maxLevels) {
        throw badRequest(`${name} must have at most ${maxLevels} levels of nesting.`);
      }
    }
  }
  if (values > maxValues) throw badRequest(`${name} has too many values.`);
  if (keys > maxKeys) throw badRequest(`${name} must have at most ${maxKeys} keys.`);
}

export const jsonTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/graphql+json',
]);

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

function quote(value: string): string {
  return `"${value.slice(0, 40).replaceAll(/[^ -~]/g, '?')}"`;
}

function bodyTooLarge(maxBodyBytes: number): HttpError {
  return tooLarge(`The request body is too large; MAX_BODY_BYTES allows ${maxBodyBytes} bytes.`);
}
