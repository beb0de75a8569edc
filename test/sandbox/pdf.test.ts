import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { renderPdf } from '../../sandbox/pdf.ts';

const render = (...pages: string[]) => renderPdf({ title: 't', created: '2026-01-02', pages });

/** The characters of the embedded fonts, from which a viewer copies text. */
function embeddedCharacters(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const maps = [...raw.matchAll(/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)]
    .map(([, content]) => inflateSync(Buffer.from(content!, 'latin1')).toString('latin1'))
    .filter((stream) => stream.includes('beginbfrange'));
  return maps
    .flatMap((map) => [...map.matchAll(/\[(.*)\]/g)])
    .flatMap(([, list]) => [...list!.matchAll(/<([0-9a-f]{4})>/g)])
    .map(([, hex]) => String.fromCharCode(Number.parseInt(hex!, 16)))
    .join('');
}

it.each(['Рахунок № 7 за Ґудзики', 'Счёт', '請求書 髙橋様 カタカナ', 'Τιμολόγιο', 'Łódź Şişli'])(
  'embeds the characters of a page: %s',
  async (text) => {
    const pdf = await render(text);
    const embedded = new Set(embeddedCharacters(pdf));
    expect(Array.from(text).filter((character) => !embedded.has(character))).toEqual([]);
    expect(pdf.length).toBeLessThan(30_000); // only what is used
    expect((await render(text)).equals(pdf)).toBe(true);
  },
);

it('embeds no font for Windows-1252', async () => {
  const pdf = await render('Prüfung “15 €” – fällig …');
  expect(pdf.toString('latin1')).toContain('/Helvetica');
  expect(pdf.toString('latin1')).not.toContain('/FontFile');
});
