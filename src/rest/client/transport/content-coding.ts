import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { singleValue } from './header-values.ts';

export type Coding = 'gzip' | 'br' | 'deflate' | 'zstd';

/** How much each coding is preferred, in `Accept-Encoding`. zstd takes the gateway three times as long as gzip. bench/NOTES.md */
const preferences: Readonly<Record<Coding, string>> = {
  gzip: 'gzip',
  br: 'br;q=0.9',
  deflate: 'deflate;q=0.5',
  zstd: 'zstd;q=0.5',
};

export const decodableCodings = Object.keys(preferences) as readonly Coding[];

const acceptIdentity = ['accept-encoding', 'identity'];

/**
 * The header that asks for these codings, as name and value. Without it, a server may choose any coding (RFC 9110,
 * section 12.5.3).
 */
export function acceptEncoding(codings: readonly Coding[]): readonly string[] {
  if (codings.length === 0) return acceptIdentity;
  return ['accept-encoding', codings.map((coding) => preferences[coding]).join(', ')];
}

const maxCodings = 3;
const noCodings: readonly Coding[] = [];

/**
 * The codings of a body, in the order in which they were applied. Empty if it has none, or one that the gateway does
 * not know: such a body is read as it is, because some servers send a character set in this header.
 *
 * @see RFC 9110, section 8.4
 */
export function codingsOf(headers: IncomingHttpHeaders): readonly Coding[] {
  const header = headers['content-encoding'];
  if (header === undefined) return noCodings;
  const names = [header] // undici returns several header lines, which are one list, as an array
    .flat()
    .join(',')
    .split(',', 100)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    .map((name) => (name === 'x-gzip' ? 'gzip' : name));
  const isDecodable = (name: string): name is Coding => Object.hasOwn(preferences, name);
  return names.length <= maxCodings && names.every(isDecodable) ? names : noCodings;
}

/**
 * The headers of a body that was decoded. Its length is unknown, it has no ranges, and its entity tag is weak, because
 * the strong one belongs to the bytes that the server sent (RFC 9110, section 8.8.3).
 */
export function decodedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-encoding': _coding, 'content-length': _length, ...others } = headers;
  const etag = singleValue(others, 'etag');
  return {
    ...others,
    'accept-ranges': 'none',
    ...(etag?.startsWith('"') && { etag: `W/${etag}` }),
  };
}

export interface DecoderOptions {
  readonly source: { pause(): void; resume(): void };
  readonly onData: (chunk: Buffer) => void;
  readonly onEnd: () => void;
  readonly onError: (error: Error) => void;
}

/**
 * Decodes a body while it arrives, only as fast as the decoded bytes are taken, so that a limit on these also ends a body
 * that grows a thousandfold.
 */
export class BodyDecoder {
  readonly #codings: readonly Coding[];
  readonly #options: DecoderOptions;
  #streams: readonly Transform[] = [];
  #hasSourceEnded = false;

  constructor(codings: readonly Coding[], options: DecoderOptions) {
    this.#codings = codings;
    this.#options = options;
  }

  write(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (this.#streams.length === 0) this.#open();
    const first = this.#streams[0]!;
    if (this.#streams.at(-1)!.readableEnded || first.write(chunk)) return;
    const { source } = this.#options;
    source.pause();
    first.once('drain', () => source.resume());
  }

  end(): void {
    this.#hasSourceEnded = true;
    if (this.#streams.at(-1)?.readableEnded !== false) this.#options.onEnd();
    else this.#streams[0]!.end();
  }

  pause(): void {
    this.#streams.at(-1)?.pause();
  }

  resume(): void {
    this.#streams.at(-1)?.resume();
  }

  destroy(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #open(): void {
    const { onData, onEnd, onError } = this.#options;
    this.#streams = this.#codings.toReversed().map((coding) => decoders[coding]());
    for (const [index, stream] of this.#streams.entries()) {
      stream.on('error', onError);
      const next = this.#streams[index + 1];
      if (next !== undefined) stream.pipe(next);
    }
    this.#streams
      .at(-1)!
      .on('data', onData)
      .on('end', () => {
        if (this.#hasSourceEnded) onEnd();
      });
  }
}

/** The largest window that a response can require, as a power of two: 8 MiB (RFC 9659, section 3). */
const zstd = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const decoders: Readonly<Record<Coding, () => Transform>> = {
  gzip: () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(zstd),
};
