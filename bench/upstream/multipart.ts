import type { IncomingMessage } from 'node:http';
import { crc32 } from 'node:zlib';

export interface Part {
  readonly head: string;
  readonly bytes: number;
  readonly crc: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Reads a multipart body to its end and keeps the header, length and CRC-32 of each part. This is sufficient to detect
 * a truncated or modified file, and takes one pass over the bytes.
 *
 * @throws {Error} if the body ends before the closing boundary
 */
export async function readParts(request: IncomingMessage): Promise<Part[]> {
  const boundary = /boundary="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error('no boundary');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Part[] = [];
  let rest: Buffer = Buffer.from('\r\n');
  let open: { head: string; bytes: number; crc: number } | undefined;
  let closed = false;

  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (closed) continue;
    let data: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const at = data.indexOf(delimiter);
      if (open !== undefined) {
        const end = at === -1 ? Math.max(0, data.length - delimiter.length) : at;
        open.crc = crc32(data.subarray(0, end), open.crc);
        open.bytes += end;
        data = data.subarray(end);
        if (at === -1) break;
        parts.push({ head: open.head, bytes: open.bytes, crc: hex(open.crc) });
        open = undefined;
        continue;
      }
      if (at === -1 || data.length < at + delimiter.length + 2) break;
      const next = at + delimiter.length;
      if (data.toString('latin1', next, next + 2) === '--') {
        closed = true;
        break;
      }
      const headEnd = data.indexOf(HEAD_END, next);
      if (headEnd === -1) break;
      open = { head: data.toString('utf8', next + 2, headEnd), bytes: 0, crc: 0 };
      data = data.subarray(headEnd + HEAD_END.length);
      // The boundary after an empty part follows immediately, without the line break that otherwise ends the content.
    }
    rest = data;
  }
  if (!closed) throw new Error('the body ended before its closing boundary');
  return parts;
}

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
