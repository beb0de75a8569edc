import type { Readable } from 'node:stream';
import { GraphQLError } from 'graphql';
import { processRequest, Upload, type FileUpload } from 'graphql-upload-minimal';
import type { IncomingFile } from '../model/transfer.ts';
import type { Exchange } from './exchange.ts';
import { Pieces } from './pieces.ts';
import { Refusal } from './refusal.ts';

export interface UploadLimits {
  /** Of each part that is not a file. */
  readonly maxBodyBytes: number;
  /** Of one file, and of all files of a request together. */
  readonly maxUploadBytes: number;
  readonly maxUploadFiles: number;
  /** Longest time until `operations` and `map` are there; the files may take theirs. */
  readonly requestTimeoutMs: number;
}

/** The bytes that the files of one request may still bring. */
interface Budget {
  left: number;
  readonly of: number;
}

/**
 * The GraphQL parameters of a multipart request, an `IncomingFile` wherever `map` puts a file. Comes as soon
 * as `operations` and `map` have been read; the files follow while the operation runs, each once, in the
 * order the client sent them. Nothing of them is kept: who does not read one holds up those behind it.
 *
 * @see GraphQL multipart request specification
 * @throws {Refusal} 400 for a malformed request, 408 for one that drips in, 413 over MAX_BODY_BYTES and
 * MAX_UPLOAD_FILES
 */
export async function readMultipart(exchange: Exchange, limits: UploadLimits): Promise<unknown> {
  const { req, res } = exchange;
  // The library knows the media type in lower case only.
  const type = req.headers['content-type']?.replace(
    /^multipart\/form-data/i,
    'multipart/form-data',
  );
  if (type !== undefined) req.headers['content-type'] = type;
  const reading = processRequest(req, res, {
    maxFieldSize: limits.maxBodyBytes,
    maxFileSize: limits.maxUploadBytes + 1, // at its own limit the parser cuts already
    maxFiles: limits.maxUploadFiles,
  }).catch((error: unknown) => {
    throw refusalOf(error, limits);
  });
  const parsed: unknown = await inTime(reading, limits.requestTimeoutMs);
  const budget = { left: limits.maxUploadBytes, of: limits.maxUploadBytes };
  exchange.files = new Set();
  return withFiles(parsed, new Map(), (upload) => {
    const file = incomingFile(upload, budget);
    exchange.files?.add(file);
    return file;
  });
}

/** @throws {Refusal} 408 */
async function inTime<T>(reading: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Refusal(408, 'BAD_USER_INPUT', 'The request body took too long.'));
  }, ms);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A copy with files for uploads; an upload that is mapped twice is the same file twice.
 * @throws {Refusal} 400
 */
function withFiles(
  value: unknown,
  known: Map<Upload, IncomingFile>,
  fileOf: (upload: Upload) => IncomingFile,
): unknown {
  if (value instanceof Upload) {
    const file = known.get(value) ?? fileOf(value);
    known.set(value, file);
    return file;
  }
  if (Array.isArray(value)) {
    refuseHoles(value);
    return value.map((inner) => withFiles(inner, known, fileOf));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withFiles(inner, known, fileOf)]),
  );
}

/**
 * A path of `map` can name any index, and the library makes the list that long: a few bytes of a request would
 * be a list of millions, which costs the whole process to walk.
 */
function refuseHoles(list: readonly unknown[]): void {
  if (Object.keys(list).length === list.length) return;
  const message = 'The map puts a file behind the end of a list; put null where files go.';
  throw new Refusal(400, 'BAD_USER_INPUT', message);
}

function incomingFile(upload: Upload, budget: Budget): IncomingFile {
  const promise = upload.promise.then(
    (file) => ({
      filename: file.filename || 'file',
      createReadStream: () => bounded(file, budget),
    }),
    () => {
      throw badInput('A file of the map is missing in the request.');
    },
  );
  promise.catch(() => {}); // perhaps nobody waits for it
  return { promise };
}

/** Reads files that nobody will ask for, so that they do not hold up those behind them. */
export function discard(files: Iterable<IncomingFile>): void {
  for (const { promise } of files) {
    promise.then(readToEnd).catch(() => {}); // missing, too large, cut off: nobody wanted it
  }
}

async function readToEnd(file: Awaited<IncomingFile['promise']>): Promise<void> {
  for await (const _ of file.createReadStream());
}

/** The bytes of a file, as far as both bounds allow. */
function bounded(file: FileUpload, budget: Budget): AsyncIterable<Uint8Array> {
  const spend = ({ length }: Uint8Array): void => {
    budget.left -= length;
    if (budget.left < 0) throw tooLarge(budget.of);
  };
  return { [Symbol.asyncIterator]: () => new Pieces(() => streamOf(file, budget.of), spend) };
}

/** The library cuts a file that is too large and lets it end as if it were whole: here it fails instead. */
function streamOf(file: FileUpload, maxUploadBytes: number): Readable {
  let stream: Readable;
  try {
    stream = file.createReadStream();
  } catch (error) {
    const cut = error instanceof Error && 'status' in error && error.status === 413;
    throw cut ? tooLarge(maxUploadBytes) : badInput('The upload was interrupted.');
  }
  stream.on('error', () => {}); // whoever reads sees it as well; perhaps nobody reads
  stream.once('limit', () => stream.destroy(tooLarge(maxUploadBytes)));
  return stream;
}

function refusalOf(error: unknown, { maxBodyBytes, maxUploadFiles }: UploadLimits): Refusal {
  if (!(error instanceof Error))
    return new Refusal(400, 'BAD_USER_INPUT', 'The upload is malformed.');
  if (!('status' in error && error.status === 413)) {
    return new Refusal(400, 'BAD_USER_INPUT', error.message);
  }
  const message = error.message.includes('max file uploads')
    ? `The request has too many files; MAX_UPLOAD_FILES allows ${maxUploadFiles}.`
    : `The request is too large without its files; MAX_BODY_BYTES allows ${maxBodyBytes} bytes.`;
  return new Refusal(413, 'BAD_USER_INPUT', message);
}

function tooLarge(maxUploadBytes: number): GraphQLError {
  return badInput(`The files are too large; MAX_UPLOAD_BYTES allows ${maxUploadBytes} bytes.`);
}

function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}
