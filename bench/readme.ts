/**
 * Writes the figures of the last full run to the README, between its two markers:
 *
 *     npm run bench:readme
 */
import { readFileSync, writeFileSync } from 'node:fs';

import { readmeFigures } from './harness/report/readme.ts';
import { lastFullRun } from './harness/results.ts';

const readme = new URL('../README.md', import.meta.url);
const text = readFileSync(readme, 'utf8');
const between = /(<!-- figures -->\n)[\s\S]*?(\n<!-- end of figures -->)/;
if (!between.test(text)) throw new Error('the README has lost its markers');
writeFileSync(readme, text.replace(between, `$1\n${readmeFigures(lastFullRun())}\n$2`));
