import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import type { IncomingFile } from '../../model/transfer.ts';
import { ByteBuffer } from '../../rest/client/byte-buffer.ts';
import { badInput } from '../../schema/graphql-error.ts';
import { pipeBody } from '../http/pipe-body.ts';
import { badRequest, parseJson, bodyTimeout } from '../http/json-body.ts';
import { partHeader, type PartHeader } from './part-header.ts';
import { HttpError } from '../errors/http-error.ts';
import { uploadTargets } from './upload-map.ts';

export interface UploadLimits {
  /** Of each part that is not a file. */
  readonly maxBodyBytes: number;
  /** Of one file, and of all files of a request together. */
  readonly maxUploadBytes: number;
  readonly maxUploadFiles: number;
  /** Longest time until `operations` and `map` are there; the files may take theirs. */
  readonly requestTimeoutMs: number;
}

/** A multipart request whose `operations` and `map` have been read. */
export interface MultipartParams {
  /** What `operations` holds, with an `IncomingFile` at each path that `map` names. */
  readonly params: unknown;
  /** The files that are in `params`. Each must be read or discarded, because the next ones wait for it. */
  readonly files: ReadonlySet<IncomingFile>;
}

/**
 * The GraphQL parameters of a multipart request, an `IncomingFile` wherever `map` puts a file. Comes as soon
 * as `operations` and `map` have been read; the files follow while the operation runs, each once, in the
 * order the client sent them. Nothing of them is kept: who does not read one holds up those behind it.
 *
 * Parts that `map` does not name are skipped. Whatever goes wrong later fails the files that are not whole, with a
 * GraphQLError.
 *
 * @see GraphQL multipart request specification
 * @throws {HttpError} 400 for a malformed request, 408 for one that drips in, 413 over MAX_BODY_BYTES and
 * MAX_UPLOAD_FILES
 */
export async function readMultipart(
  req: IncomingMessage,
  limits: UploadLimits,
): Promise<MultipartParams> {
  return new MultipartReader(req, limits).params;
}

/** Parts beside the files and the two fields, which are skipped. */
const maxOtherParts = 20;
/** Boundaries and part headers. */
const maxFramingBytes = 2 ** 20;
const maxPartHeaderBytes = 16 * 1024;

type ArrivedFile = Awaited<IncomingFile['promise']>;

/**
 * What may go wrong comes from many sides and at any time, some of it more than once: the parser, a part, the client,
 * the clock. All of it ends in `#fail`, of which the first call counts.
 */
class MultipartReader {
  readonly params: Promise<MultipartParams>;
  readonly #limits: UploadLimits;
  readonly #settle = Promise.withResolvers<MultipartParams>();
  readonly #stopFeeding: () => void;
  readonly #timer: NodeJS.Timeout;
  /** One part after the other, also where one chunk brings many: `map` needs `operations`. */
  #sequence: Promise<void> = Promise.resolve();
  #partCount = 0;
  #lastPart: Readable | null = null;
  #operations: unknown;
  /** Files of the map that have not arrived, by the name of their part; null until the map is read. */
  #expected: Map<string, PromiseWithResolvers<ArrivedFile>> | null = null;
  #failure: HttpError | null = null;
  #bytesLeft: number;
  #fileBytesLeft: number;

  constructor(req: IncomingMessage, limits: UploadLimits) {
    const boundary = boundaryOf(req.headers['content-type'] ?? '');
    this.#limits = limits;
    this.#fileBytesLeft = limits.maxUploadBytes;
    this.#bytesLeft = limits.maxUploadBytes + 2 * limits.maxBodyBytes + maxFramingBytes;
    this.params = this.#settle.promise;
    this.#timer = setTimeout(() => this.#fail(bodyTimeout()), limits.requestTimeoutMs);
    this.params.catch(() => {}).finally(() => clearTimeout(this.#timer));

    // A part that is not read holds the parser back at once: what waits then, waits in one queue.
    const config = { boundary, maxHeaderSize: maxPartHeaderBytes, maxHeaderPairs: 100, partHwm: 1 };
    const parser = new Dicer(config);
    const malformed = (): void => {
      this.#fail(badRequest('The multipart body is malformed or incomplete.'));
    };
    parser.on('error', malformed);
    parser.on('part', (part) => this.#onPart(part));
    parser.on('finish', () => this.#enqueue(() => this.#onEnd()));
    this.#stopFeeding = pipeBody(req, parser, (chunk) => this.#count(chunk), malformed);
    req.once('close', () => {
      if (!req.complete) this.#fail(badRequest('The upload was interrupted.'));
    });
  }

  #enqueue(step: () => Promise<void> | void): void {
    this.#sequence = this.#sequence
      .then(() => (this.#failure === null ? step() : undefined))
      .catch((error: unknown) => {
        this.#fail(
          error instanceof HttpError ? error : badRequest('The multipart body is malformed.'),
        );
      });
  }

  #count(chunk: Buffer): void {
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft < 0) {
      this.#fail(new HttpError(413, 'BAD_USER_INPUT', filesTooLarge(this.#limits)));
    }
  }

  #onPart(part: Readable): void {
    part.on('error', () => {}); // its reader gets the error, if there is one
    if (this.#failure !== null) return;
    this.#lastPart = part;
    this.#partCount += 1;
    if (this.#partCount > this.#limits.maxUploadFiles + 2 + maxOtherParts) {
      this.#fail(new HttpError(413, 'BAD_USER_INPUT', 'The request has too many parts.'));
      return;
    }
    part.on('header', (headers: Record<string, string[]>) => {
      this.#enqueue(() => this.#onHeader(part, partHeader(headers)));
    });
  }

  #onHeader(part: Readable, header: PartHeader): Promise<void> | void {
    if (this.#expected !== null) return this.#onFile(part, header, this.#expected);
    const { name, filename } = header;
    if (name === 'operations' && this.#operations === undefined) return this.#readOperations(part);
    if (name === 'map') {
      if (this.#operations === undefined)
        throw badRequest('The part `operations` must precede the part `map`.');
      return this.#readMap(part);
    }
    if (filename !== null)
      throw badRequest('The parts `operations` and `map` must precede the files.');
    part.resume();
  }

  async #readOperations(part: Readable): Promise<void> {
    const operations = parseJson(await this.#readField(part), '`operations`');
    this.#operations = operations;
    if (isObject(operations)) return;
    this.#settle.resolve({ params: operations, files: new Set() }); // for the caller to refuse
    this.#stopFeeding();
  }

  async #readMap(part: Readable): Promise<void> {
    const map = parseJson(await this.#readField(part), '`map`');
    const operations = this.#operations as Record<string, unknown>;
    const targets = uploadTargets(map, operations, this.#limits.maxUploadFiles);
    const expected = new Map<string, PromiseWithResolvers<ArrivedFile>>();
    const files = new Set<IncomingFile>();
    for (const [name, targetsOfFile] of targets) {
      if (targetsOfFile.length === 0) continue; // nobody could read it
      const arrival = Promise.withResolvers<ArrivedFile>();
      arrival.promise.catch(() => {}); // perhaps nobody waits for it
      const file: IncomingFile = { promise: arrival.promise };
      for (const { parent, key } of targetsOfFile) Reflect.set(parent, key, file);
      expected.set(name, arrival);
      files.add(file);
    }
    this.#expected = expected;
    this.#settle.resolve({ params: operations, files });
  }

  async #readField(part: Readable): Promise<Buffer> {
    const { maxBodyBytes } = this.#limits;
    const field = new ByteBuffer();
    await new Promise<void>((resolve, reject) => {
      part.on('data', (chunk: Buffer) => {
        field.add(chunk);
        if (field.length <= maxBodyBytes) return;
        const message = `The request is too large without its files; MAX_BODY_BYTES allows ${maxBodyBytes} bytes.`;
        reject(new HttpError(413, 'BAD_USER_INPUT', message));
      });
      part.on('end', resolve);
      part.on('close', resolve); // of a part that was destroyed: the failure is known
    });
    return field.take();
  }

  #onFile(
    part: Readable,
    { name, filename, contentType }: PartHeader,
    expected: Map<string, PromiseWithResolvers<ArrivedFile>>,
  ): void {
    const arrival = name === null ? undefined : expected.get(name);
    if (name === null || arrival === undefined) {
      part.resume();
      return;
    }
    expected.delete(name);
    // No form encoder sends one: a browser writes %0A. A name that is changed in silence would be the worse answer.
    if (/\p{Cc}/u.test(filename ?? '')) {
      part.resume();
      arrival.reject(badInput('A file name must not contain control characters.'));
      return;
    }
    let isOpen = false;
    const createReadStream = (): AsyncIterable<Uint8Array> => {
      if (isOpen) throw badInput('A file can be read only once.');
      isOpen = true;
      const countBytes = (chunk: Uint8Array): void => {
        this.#fileBytesLeft -= chunk.length;
        if (this.#fileBytesLeft < 0) throw badInput(filesTooLarge(this.#limits));
      };
      return chunksOf(part, countBytes);
    };
    arrival.resolve({ filename: filename || 'file', contentType, createReadStream });
  }

  #onEnd(): void {
    if (this.#operations === undefined) throw badRequest('The part `operations` is missing.');
    if (this.#expected === null) throw badRequest('The part `map` is missing.');
    for (const arrival of this.#expected.values()) {
      arrival.reject(badInput('A file that `map` assigns is missing in the request.'));
    }
  }

  #fail(failure: HttpError): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#stopFeeding();
    const error = badInput(failure.message);
    this.#lastPart?.destroy(error);
    for (const arrival of this.#expected?.values() ?? []) arrival.reject(error);
    this.#settle.reject(failure);
  }
}

/** @throws {HttpError} 400 */
function boundaryOf(contentType: string): string {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  // RFC 2046 allows 70; some clients write longer ones.
  if (boundary !== undefined && boundary.length <= 200) return boundary;
  throw badRequest(
    'The content type multipart/form-data requires a `boundary` of at most 200 characters.',
  );
}

/**
 * The bytes of a part, no faster than they are asked for.
 *
 * @param check sees every chunk before it is handed out, and throws what it does not like
 */
async function* chunksOf(part: Readable, check: (chunk: Uint8Array) => void) {
  try {
    for await (const chunk of part.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      check(chunk);
      yield chunk;
    }
  } finally {
    part.resume(); // whoever stops early leaves the rest to be read and thrown away
  }
}

/** Reads files that nobody will ask for, so that they do not hold up those behind them. */
export function discardFiles(files: Iterable<IncomingFile>): void {
  for (const { promise } of files) {
    promise.then(readToEnd).catch(() => {}); // missing, too large, cut off: nobody wanted it
  }
}

async function readToEnd(file: ArrivedFile): Promise<void> {
  for await (const _ of file.createReadStream());
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function filesTooLarge({ maxUploadBytes }: UploadLimits): string {
  return `The files are too large; MAX_UPLOAD_BYTES allows ${maxUploadBytes} bytes.`;
}
