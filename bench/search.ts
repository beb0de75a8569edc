import { search } from '../src/schema/search.ts';

/*
 * What `documents(search:)` adds to reading 500 documents with 16 KiB of text each: CPU time in all, and of the longest
 * iteration of the event loop. `node bench/search.ts`
 */

const texts = {
  ASCII: 'Invoice RE-2026-0001 of Muller over 1204.50 EUR. ',
  German: 'Müller & Söhne GmbH, Straße 12, Rechnung über 1.204,50 € für größere Lieferungen. ',
  Greek: 'Ελληνικά κείμενα με τόνους και άλλα. ',
  Japanese: '請求書の合計金額は一二三四円です。',
  'marks in a row': '\u0316\u0301',
};
const words = ['REISE', 'NOTHING'];
const rounds = 5;
const budget = { endReason: () => null } as unknown as Parameters<typeof search>[3]['budget'];

const userMs = (): number => process.cpuUsage().user / 1000;

async function measure(text: string): Promise<{ readonly all: number; readonly longest: number }> {
  const documents = Array.from({ length: 500 }, (_, i) =>
    `${text.repeat(16_384 / text.length)} ${i} REISE`.slice(-16_384),
  );
  const start = userMs();
  let last = start;
  let longest = 0;
  let isOver = false;
  const iterate = (): void => {
    const now = userMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(iterate);
  };
  setImmediate(iterate);
  await search(documents, words, (one) => [{ key: {}, texts: [one] }], { budget } as never);
  isOver = true;
  return { all: userMs() - start, longest };
}

for (const [name, text] of Object.entries(texts)) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure(text));
  const median = (of: 'all' | 'longest'): string => {
    const sorted = results.map((result) => result[of]).toSorted((a, b) => a - b);
    return sorted[Math.floor(rounds / 2)]!.toFixed(0);
  };
  process.stdout.write(`${name}: ${median('all')} ms, longest ${median('longest')} ms\n`);
}
