import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { JsonObject } from './http/request-body.ts';
import { parseJsonObject } from './http/request-body.ts';
import { badRequest, Problem } from './problem.ts';
import type { Blobs, Received } from './store/blobs.ts';

/** The parts of a creation. Its files are complete, under temporary names. */
export interface Upload {
  readonly docForm: JsonObject | undefined;
  readonly docResponse: JsonObject | undefined;
  /** In order of arrival. */
  readonly files: readonly UploadedFile[];
}

export interface UploadedFile {
  readonly name: string;
  readonly received: Received;
}

type JsonPart = 'docForm' | 'docResponse';

const maxPartBytes = 4 * 1024 * 1024;
const maxFiles = 1000;

/**
 * Reads a multipart/form-data body and streams its files to disk, so that memory use does not depend on their size.
 *
 * The caller then owns the files. If this function throws, it has removed them, and the rest of the body is read and
 * discarded so that a client that is still sending receives the response.
 * @throws {Problem} 415 for another content type, 413 for a part that is too large, 400 for a malformed or incomplete
 * body
 */
export async function readUpload(
  request: IncomingMessage,
  blobs: Blobs,
  signal: AbortSignal,
): Promise<Upload> {
  const parser = createParser(request);
  const texts = new Map<JsonPart, Promise<Uint8Array>>();
  const files: Promise<UploadedFile>[] = [];
  const streams: Readable[] = [];
  const ended = new AbortController();

  try {
    await new Promise<void>((resolve, reject) => {
      const guard = <Content>(work: Promise<Content>): Promise<Content> => {
        work.catch(reject);
        return work;
      };
      const takeText = (part: string, content: Promise<Uint8Array>) => {
        if (!isJsonPart(part)) throw unexpected(part);
        if (texts.has(part)) throw badRequest(`The part ${part} occurs more than once.`);
        texts.set(part, guard(content));
      };

      parser.on('field', (part, value, _nameTruncated, valueTruncated) => {
        attempt(reject, () => {
          if (valueTruncated) throw tooLarge(part);
          takeText(part, Promise.resolve(Buffer.from(value)));
        });
      });
      parser.on('file', (part, stream, filename: string | undefined) => {
        // A stream that is not read would block the parser, and an error without a listener would end the process.
        stream.on('error', reject);
        streams.push(stream);
        attempt(reject, () => {
          if (isJsonPart(part)) takeText(part, readText(part, stream));
          else if (part !== 'files') throw unexpected(part);
          else if (!filename) throw badRequest('A part named files has no file name.');
          else files.push(guard(receive(blobs, filename, stream, ended.signal)));
        });
      });
      parser.on('filesLimit', () =>
        reject(new Problem(413, `The request has more than ${maxFiles} files.`)),
      );
      parser.on('partsLimit', () => reject(new Problem(413, 'The request has too many parts.')));
      parser.on('error', (error: unknown) => {
        const reason = error instanceof Error ? error.message : 'malformed';
        reject(badRequest(`The multipart body cannot be read: ${reason}.`));
      });
      parser.on('finish', resolve);
      const onAbort = () => reject(badRequest('The upload is incomplete.'));
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      request.pipe(parser);
    });
    return {
      docForm: await parsed(texts, 'docForm'),
      docResponse: await parsed(texts, 'docResponse'),
      files: await Promise.all(files),
    };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    request.resume();
    ended.abort(); // a file whose stream ends without an event
    for (const stream of streams) stream.destroy(); // the parser does not end those of incomplete parts
    for (const outcome of await Promise.allSettled(files)) {
      if (outcome.status === 'fulfilled') blobs.discard(outcome.value.received);
    }
    throw error;
  }
}

function createParser({ headers }: IncomingMessage): BusboyInstance {
  const contentType = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new Problem(415, 'The body must be multipart/form-data.');
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      limits: { fieldSize: maxPartBytes, files: maxFiles + 2, parts: maxFiles + 4 },
    });
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'The body cannot be read.');
  }
}

function attempt(reject: (error: unknown) => void, work: () => void): void {
  try {
    work();
  } catch (error) {
    reject(error);
  }
}

function isJsonPart(part: string): part is JsonPart {
  return part === 'docForm' || part === 'docResponse';
}

async function receive(
  blobs: Blobs,
  filename: string,
  stream: Readable,
  signal: AbortSignal,
): Promise<UploadedFile> {
  return { name: fileName(filename), received: await blobs.receive(stream, signal) };
}

/** Decodes a file name: clients encode quotes and line breaks as %22, %0D and %0A (WHATWG, multipart/form-data). */
function fileName(sent: string): string {
  const signs: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };
  return sent.replace(/%22|%0D|%0A/gi, (escape) => signs[escape.toUpperCase()] ?? escape);
}

/** Reads a JSON part that has a file name, as some form encoders send it. */
async function readText(part: string, stream: Readable): Promise<Uint8Array> {
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxPartBytes) stream.destroy(tooLarge(part));
  });
  return buffer(stream);
}

async function parsed(
  texts: ReadonlyMap<JsonPart, Promise<Uint8Array>>,
  part: JsonPart,
): Promise<JsonObject | undefined> {
  const bytes = await texts.get(part);
  return bytes === undefined ? undefined : parseJsonObject(bytes, `The part ${part}`);
}

const unexpected = (part: string) =>
  badRequest(`The part ${part} is not docForm, docResponse or files with a file name.`);

const tooLarge = (part: string) => new Problem(413, `The part ${part} is larger than 4 MiB.`);
