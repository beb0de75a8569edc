import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readmeFigures } from '../bench/harness/report/readme.ts';
import { lastFullRun } from '../bench/harness/results.ts';
import { settings } from '../src/config/settings.ts';
import { errorCodes } from '../src/server/errors/error-codes.ts';
import { createMetrics } from '../src/server/telemetry/metrics.ts';
import { startGatewayOnSandbox } from './helpers/gateway.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const scripts = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  }
).scripts;

/** The fenced block behind a marker. */
function block(marker: string): string {
  const found = new RegExp(`<!-- ${marker} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(readme);
  return found![1]!;
}

describe('the README', () => {
  it('shows a query and the answer that the sandbox gives to it', async () => {
    const { query } = await startGatewayOnSandbox();
    const { data } = await query(block('query'));
    expect({ data }).toEqual(JSON.parse(block('answer')));
  });

  it('lists every setting as it is', () => {
    const expected = Object.values(settings).map(({ name, defaultText, description }) => [
      `\`${name}\``,
      defaultText === '' ? '–' : defaultText,
      description,
    ]);
    const [, table] = /<!-- settings -->\n\n([\s\S]*?)\n\n/.exec(readme)!;
    const rows = table!.split('\n').slice(2);
    expect(
      rows.map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    ).toEqual(expected);
  });

  it('lists every error code and no other', () => {
    const [, table] = /<!-- codes -->\n\n([\s\S]*?)\n\n/.exec(readme)!;
    const rows = table!.split('\n').slice(2);
    const listed = rows.flatMap((row) =>
      [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    );
    expect(listed).toEqual([...errorCodes]);
  });

  it('shows the figures of the last full run', () => {
    const [, defaultText] = /<!-- figures -->([\s\S]*?)<!-- end of figures -->/.exec(readme)!;
    // The formatter lines up columns and breaks lines.
    const plain = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ').trim();
    expect(plain(defaultText!)).toBe(plain(readmeFigures(lastFullRun())));
  });

  it('names only scripts that there are', () => {
    for (const [, name] of readme.matchAll(/npm run ([\w:]+)/g))
      expect(scripts).toHaveProperty([name!]);
  });

  it('is what CI runs', () => {
    const ci = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8');
    expect(ci).toContain('\nnpm ci\n');
    expect(ci).toContain('\nnpm test\n');
  });
});

describe('docs/operations.md', () => {
  it('explains every metric and no other', async () => {
    const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
    const figures = await createMetrics({ process: false }).text();
    const names = [...figures.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!);
    const explained = [...page.matchAll(/^\| `(gateway_\w+)`/gm)].map(([, name]) => name!);
    expect([...new Set(explained)].toSorted()).toEqual(names.toSorted());
  });
});
