import { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import type { ArrivedFile } from '../../model/document.ts';
import type { Settings } from '../../config/read-config.ts';
import { ByteBuffer } from '../../rest/index.ts';
import { badInput } from '../../schema/graphql-error.ts';
import { Upload } from '../../schema/libraries.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { parseRequestJson, type BodyLimits } from '../http/json-body.ts';
import { RequestBody } from '../http/request-body.ts';
import { partHeader, type PartHeader } from './content-disposition.ts';
import { badRequest, HttpError, tooLarge } from '../errors/http-error.ts';
import { uploadTargets } from './upload-map.ts';

export type UploadLimits = BodyLimits & Pick<Settings, 'maxUploadBytes' | 'maxUploadFiles'>;

export interface MultipartParams {
  readonly params: unknown;
  /** The files in `params`. Each must be read or discarded, because files are read in order. */
  readonly files: ReadonlySet<Upload>;
}

/**
 * Resolves as soon as `operations` and `map` have been read. The files follow while the operation runs, in the order
 * in which the client sent them. They are not buffered: a file that is not read delays the ones after it.
 */
export async function readMultipart(
  exchange: HttpExchange,
  limits: UploadLimits,
): Promise<MultipartParams> {
  return new MultipartReader(exchange, limits).params;
}

const maxOtherParts = 20;
const maxFramingBytes = 2 ** 20;
const maxPartHeaderBytes = 16 * 1024;

class MultipartReader {
  readonly params: Promise<MultipartParams>;
  readonly #exchange: HttpExchange;
  readonly #limits: UploadLimits;
  readonly #settle = Promise.withResolvers<MultipartParams>();
  readonly #body: RequestBody;
  /** Processes the parts in order, even if one chunk contains several: `map` needs `operations`. */
  #sequence: Promise<void> = Promise.resolve();
  #partCount = 0;
  #arrivedFiles = 0;
  #lastPart: Readable | null = null;
  #operations: unknown;
  #expected: Map<string, Upload> | null = null;
  #bytesLeft: number;
  #fileBytesLeft: number;

  constructor(exchange: HttpExchange, limits: UploadLimits) {
    const boundary = boundaryOf(exchange.req.headers['content-type'] ?? '');
    this.#exchange = exchange;
    this.#limits = limits;
    this.#fileBytesLeft = limits.maxUploadBytes;
    this.#bytesLeft = limits.maxUploadBytes + 2 * limits.maxBodyBytes + maxFramingBytes;
    this.params = this.#settle.promise;

    // A part that is not read blocks the parser immediately, so that all unread data waits in a single queue.
    const config = { boundary, maxHeaderSize: maxPartHeaderBytes, maxHeaderPairs: 100, partHwm: 1 };
    const parser = acceptPadding(new Dicer(config));
    parser.on('error', () => {
      this.#body.fail(badRequest('The multipart body is malformed or incomplete.'));
    });
    parser.on('part', (part) => this.#onPart(part));
    parser.on('finish', () => this.#enqueue(() => this.#onEnd()));
    const fail = (error: unknown): void => {
      exchange.req.unpipe(parser);
      this.#onFailure(error as HttpError);
    };
    this.#body = new RequestBody(exchange, fail, 'The upload was interrupted.');
    this.#body.read((chunk) => this.#count(chunk.length));
    exchange.req.pipe(parser);
  }

  #enqueue(step: () => Promise<void> | void): void {
    this.#sequence = this.#sequence
      .then(() => (this.#body.isEnded ? undefined : step()))
      .catch((error: unknown) => {
        this.#body.fail(
          error instanceof HttpError ? error : badRequest('The multipart body is malformed.'),
        );
      });
  }

  #count(length: number): void {
    this.#bytesLeft -= length;
    if (this.#bytesLeft < 0) throw tooLarge(filesTooLarge(this.#limits));
  }

  #onPart(part: Readable): void {
    part.on('error', () => {}); // the reader of the part receives the error
    if (this.#body.isEnded) return;
    this.#lastPart = part;
    this.#partCount += 1;
    if (this.#partCount > this.#limits.maxUploadFiles + 2 + maxOtherParts) {
      this.#body.fail(tooLarge('The request has too many parts.'));
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
    const operations = await this.#readField(part, '`operations`');
    this.#operations = operations;
    if (typeof operations === 'object' && operations !== null && !Array.isArray(operations)) return;
    this.#settle.resolve({ params: operations, files: new Set() }); // the caller rejects it
    this.#body.end();
  }

  async #readMap(part: Readable): Promise<void> {
    const map = await this.#readField(part, '`map`');
    const operations = this.#operations as Record<string, unknown>;
    const targets = uploadTargets(map, operations, this.#limits.maxUploadFiles);
    const expected = new Map<string, Upload>();
    const files = new Set<Upload>();
    for (const [name, targetsOfFile] of targets) {
      if (targetsOfFile.length === 0) continue; // no variable refers to it
      const upload = new Upload();
      for (const { parent, key } of targetsOfFile) Reflect.set(parent, key, upload);
      expected.set(name, upload);
      files.add(upload);
    }
    this.#expected = expected;
    this.#exchange.releaseBody();
    this.#exchange.clearDeadline();
    this.#settle.resolve({ params: operations, files });
  }

  async #readField(part: Readable, what: string): Promise<unknown> {
    const { maxBodyBytes } = this.#limits;
    const field = new ByteBuffer();
    await new Promise<void>((resolve, reject) => {
      part.on('data', (chunk: Buffer) => {
        if (field.length + chunk.length > maxBodyBytes) {
          const message = `The request is too large without its files; MAX_BODY_BYTES allows ${maxBodyBytes} bytes.`;
          reject(tooLarge(message));
          return;
        }
        this.#body.guard(() => this.#exchange.holdBody(chunk.length));
        field.add(chunk);
      });
      part.on('end', resolve);
      part.on('close', resolve); // a destroyed part: the failure is already reported
    });
    return parseRequestJson(field.take(), what);
  }

  #onFile(
    part: Readable,
    { name, filename, isUtf8, contentType: mimetype, encoding }: PartHeader,
    expected: Map<string, Upload>,
  ): void {
    const upload = name === null ? undefined : expected.get(name);
    if (name === null || upload === undefined) {
      part.resume();
      return;
    }
    expected.delete(name);
    // Form encoders escape control characters (browsers send %0A). Rejecting the name is better than changing it
    // silently.
    const hasControls = /\p{Cc}/u.test(filename ?? '');
    if (!isUtf8 || hasControls) {
      part.resume();
      const must = isUtf8 ? 'not contain control characters' : 'be encoded in UTF-8';
      upload.reject(badInput(`A file name must ${must}.`));
      return;
    }
    let isOpen = false;
    const createReadStream = (): Readable => {
      if (isOpen) throw badInput('A file can be read only once.');
      isOpen = true;
      unopened.delete(file);
      const countBytes = (chunk: Uint8Array): void => {
        this.#fileBytesLeft -= chunk.length;
        if (this.#fileBytesLeft < 0) throw badInput(filesTooLarge(this.#limits));
      };
      return streamOf(part, countBytes);
    };
    const file: ArrivedFile = {
      position: this.#arrivedFiles,
      fieldName: name,
      filename: filename || 'file',
      mimetype,
      encoding,
      createReadStream,
    };
    this.#arrivedFiles += 1;
    unopened.set(file, part);
    upload.resolve(file);
  }

  #onEnd(): void {
    if (this.#operations === undefined) throw badRequest('The part `operations` is missing.');
    if (this.#expected === null) throw badRequest('The part `map` is missing.');
    for (const upload of this.#expected.values()) {
      upload.reject(badInput('A file that `map` assigns is missing in the request.'));
    }
  }

  #onFailure(failure: HttpError): void {
    const error = badInput(failure.message);
    this.#lastPart?.destroy(error);
    for (const upload of this.#expected?.values() ?? []) upload.reject(error);
    this.#settle.reject(failure);
    this.#operations = undefined;
    this.#expected = null;
  }
}

interface HeaderParser {
  buffer: string;
  _parseHeader(): void;
}

/**
 * Lets a parser accept spaces and tabs between a boundary and the end of its line (RFC 2046, section 5.1.1). It reads
 * them as the first header, which has no colon, and drops all headers.
 */
function acceptPadding(parser: Dicer): Dicer {
  const { _hparser: headers } = parser as unknown as { readonly _hparser: HeaderParser };
  const parse = headers._parseHeader;
  headers._parseHeader = function parseAfterPadding() {
    this.buffer = this.buffer.replace(/^[ \t]+\r\n/, '');
    parse.call(this);
  };
  return parser;
}

function boundaryOf(contentType: string): string {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  // RFC 2046 allows 70 characters, but some clients send longer boundaries.
  if (boundary !== undefined && boundary.length <= 200) return boundary;
  throw badRequest(
    'The content type multipart/form-data requires a `boundary` of at most 200 characters.',
  );
}

function streamOf(part: Readable, check: (chunk: Uint8Array) => void): Readable {
  const stream = Readable.from(chunksOf(part, check), { objectMode: false });
  stream.on('error', () => {}); // the reader receives it; without a listener, it would end the process
  return stream.once('close', () => part.resume());
}

async function* chunksOf(part: Readable, check: (chunk: Uint8Array) => void) {
  for await (const chunk of part.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    check(chunk);
    yield chunk;
  }
}

const unopened = new WeakMap<object, Readable>();

/** Reads and discards unused files, so that they do not block the ones after them. */
export function discardFiles(files: Iterable<Upload>): void {
  for (const { promise } of files) {
    // An error of an unused file is irrelevant.
    promise.then((file) => unopened.get(file)?.resume()).catch(() => {});
  }
}

function filesTooLarge({ maxUploadBytes }: UploadLimits): string {
  return `The files are too large; MAX_UPLOAD_BYTES allows ${maxUploadBytes} bytes.`;
}
