import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sharedSandbox, seeded } from './helpers.ts';

const dms = sharedSandbox();

/** The text of a PDF's pages, read from its content streams. */
function textOf(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const streams = [...raw.matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, content]) => {
    try {
      return [inflateSync(Buffer.from(content ?? '', 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  return streams
    .flatMap((stream) => [...stream.matchAll(/\[(.*?)\] TJ/g)])
    .map(([, line]) =>
      [...(line ?? '').matchAll(/<([0-9a-f]*)>/g)]
        .map(([, hex]) => Buffer.from(hex ?? '', 'hex').toString('latin1'))
        .join(''),
    )
    .join('\n');
}

const text = async (query: string) => {
  const response = await dms.fetch(`/api/v2/idp/DOC-0009/text${query}`);
  return { headers: response.headers, text: await response.text(), status: response.status };
};

describe('attachments', () => {
  it('are returned unchanged with their names', async () => {
    const response = await dms.fetch(`/api/v2/docForm/DOC-0002/file/${seeded.file(2, 1)}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''Annex%20A%20%E2%80%93%20C-001.txt",
      'accept-ranges': 'bytes',
    });
    expect(await response.text()).toBe(
      'Annex A to contract C-001\nPrices hold until 2027-01-03.\n',
    );
  });

  it('are returned in ranges', async () => {
    const at = `/api/v2/docForm/DOC-0002/file/${seeded.file(2, 1)}`;
    const whole = await (await dms.fetch(at)).text();
    const ranged = async (range: string) => {
      const response = await dms.fetch(at, { headers: { range } });
      return [response.status, response.headers.get('content-range'), await response.text()];
    };
    const size = whole.length;
    expect(await ranged('bytes=0-4')).toEqual([206, `bytes 0-4/${size}`, 'Annex']);
    expect(await ranged('bytes=6-')).toEqual([206, `bytes 6-${size - 1}/${size}`, whole.slice(6)]);
    expect(await ranged('bytes=-3')).toEqual([
      206,
      `bytes ${size - 3}-${size - 1}/${size}`,
      whole.slice(-3),
    ]);
    expect(await ranged('bytes=5-9999')).toEqual([
      206,
      `bytes 5-${size - 1}/${size}`,
      whole.slice(5),
    ]);
    expect(await ranged(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, '']);
    expect(await ranged('bytes=4-1')).toEqual([200, null, whole]);
    expect(await ranged('lines=1-2')).toEqual([200, null, whole]);
  });

  it('return their size to HEAD', async () => {
    const at = `/api/v2/docForm/DOC-0002/file/${seeded.file(2, 1)}`;
    const response = await dms.fetch(at, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '56']);
    expect(await response.text()).toBe('');
  });

  it('are found only in their document', async () => {
    for (const at of [
      `DOC-0003/file/${seeded.file(2, 1)}`,
      `DOC-0002/file/${seeded.file(2, 9)}`,
      `DOC-0001/file/${seeded.file(1, 8)}`,
      'DOC-0002/file/..%2F..%2Fsandbox.sqlite',
    ]) {
      expect((await dms.call(`/api/v2/docForm/${at}`)).status).toBe(404);
    }
  });

  it('are rendered once if they are seeded', async () => {
    const at = `/api/v2/docForm/DOC-0001/file/${seeded.file(1, 0)}`;
    const load = async () => Buffer.from(await (await dms.fetch(at)).arrayBuffer());
    const [first, second] = await Promise.all([load(), load()]);
    expect(first.subarray(0, 5).toString()).toBe('%PDF-');
    expect(second.equals(first)).toBe(true);
    expect((await load()).equals(first)).toBe(true);
  });
});

describe('recognition', () => {
  it('returns the text by page and in total', async () => {
    const whole = await text('');
    expect(whole.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
    expect(whole.headers.get('x-total-count')).toBe('3');
    const pages = await Promise.all(['?page=0', '?page=1', '?page=2'].map(text));
    expect(pages.map((page) => page.text)).toEqual(whole.text.split('\f'));
    expect(pages[1]?.text).toContain('Terms of payment');
    expect(pages[1]?.headers.get('x-total-count')).toBe('3');
    expect((await text('?page=3')).status).toBe(404);
    expect((await text('?page=-1')).status).toBe(400);
    expect((await text('?page=x')).status).toBe(400);
  });

  it('returns a PDF with a text layer', async () => {
    const response = await dms.fetch(`/api/v2/idp/${seeded.document(9)}/pdf`);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''Rechnung%20RE-2026-0003.pdf",
    );
    const pdf = Buffer.from(await response.arrayBuffer());
    expect(textOf(pdf)).toContain('Invoice RE-2026-0003');
    expect(textOf(pdf)).toContain('Delivery note for invoice RE-2026-0003');
    const part = await dms.fetch('/api/v2/idp/DOC-0009/pdf', { headers: { range: 'bytes=5-24' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(pdf.subarray(5, 25))).toBe(true);
  });

  it('returns 404 for a document without text', async () => {
    for (const what of ['text', 'pdf']) {
      expect((await dms.call(`/api/v2/idp/DOC-0003/${what}`)).status).toBe(404);
      expect((await dms.call(`/api/v2/idp/DOC-0001/${what}`, { as: 'usr-jonas' })).status).toBe(
        404,
      );
    }
  });

  it('returns the image of a region', async () => {
    const file = seeded.file(9, 8);
    const at = (entry: string) => `/api/v2/idp/DOC-0009/recoData/${entry}/file/${file}`;
    const response = await dms.fetch(at(seeded.recoEntry(9, 0)));
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([160, 48]);
    expect((await dms.call(at(seeded.recoEntry(9, 1)))).status).toBe(404);
    const attachment = `/api/v2/docForm/DOC-0009/file/${file}`;
    expect((await dms.call(attachment)).status).toBe(404);
  });
});
