/**
 * Puts the figures of the last full run into the README, between its two markers:
 *
 *     npm run bench:readme
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

import { readmeFigures } from './harness/report/readme.ts';
import type { Results } from './harness/results.ts';

const folder = new URL('results/', import.meta.url);
const last = readdirSync(folder)
  .filter((name) => /^\d{4}-\d{2}-\d{2}\.json$/.test(name))
  .toSorted()
  .at(-1);
if (last === undefined) throw new Error('there is no full run in bench/results');
const results = JSON.parse(readFileSync(new URL(last, folder), 'utf8')) as Results;
const readme = new URL('../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');
const between = /(<!-- figures -->\n)[\s\S]*?(\n<!-- end of figures -->)/;
if (!between.test(text)) throw new Error('the README has lost its markers');
writeFileSync(readme, text.replace(between, `$1\n${readmeFigures(results)}\n$2`));
