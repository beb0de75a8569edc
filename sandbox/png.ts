import { crc32, deflateSync } from 'node:zlib';

/**
 * Renders a greyscale PNG that resembles a scanned region: white paper with a dark bar for each of `lines` lines of
 * text.
 * @param seed varies the position of the bars
 */
export function renderPng(width: number, height: number, lines: number, seed: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height, 0xff);
  const pitch = Math.max(2, Math.floor(height / Math.max(1, lines)));
  for (let y = 0; y < height; y += 1) {
    const start = y * (width + 1);
    rows[start] = 0; // each row starts with its filter type: none
    const line = Math.floor(y / pitch);
    if (y % pitch >= Math.ceil(pitch / 2)) continue;
    const length = Math.floor(width * (0.4 + (((line + 1) * (seed + 3)) % 50) / 100));
    rows.fill(0x30, start + 1 + 4, start + 1 + Math.min(width, length));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bits per sample (colour type 0 is greyscale)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
