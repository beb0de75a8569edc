import type { IncomingMessage } from 'node:http';
import { badRequest, Problem } from '../problem.ts';

export type JsonObject = Record<string, unknown>;

/** Maximum size of a JSON body. The specification defines none. */
const maxJsonBytes = 4 * 1024 * 1024;

/**
 * Reads the JSON object in a request body.
 * @throws {Problem} 415 for another content type, 413 above 4 MiB, 400 if it is not a JSON object
 */
export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Problem(415, 'The body must be application/json.');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not destroy the stream, which would close the connection before the response is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxJsonBytes) throw new Problem(413, 'The body is larger than 4 MiB.');
      chunks.push(bytes);
    }
  } catch (error) {
    // The rest of a body that is too large is discarded, so that the connection can be used again.
    request.resume();
    throw error instanceof Problem ? error : badRequest('The body is incomplete.');
  }
  return parseJsonObject(Buffer.concat(chunks), 'The body');
}

/** Parses a JSON object in UTF-8. @throws {Problem} 400 with `what` in the message, for anything else */
export function parseJsonObject(bytes: Uint8Array, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest(`${what} is not valid JSON.`);
  }
  if (!isObject(value)) throw badRequest(`${what} must be a JSON object.`);
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
