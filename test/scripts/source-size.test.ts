import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { linesOfCode, sizeTable, sourceSize } from '../../scripts/source-size.ts';

it('counts lines that have more than spaces and comments', () => {
  const source = [
    '/**',
    ' * A docstring.',
    ' */',
    "const text = 'a // b'; // why",
    '',
    '  // a comment',
    'const lines = `',
    '  /* part of the text */',
    '',
    '`; /* begins here',
    'ends here */ const last = 1;',
  ];
  expect(linesOfCode('a.ts', source.join('\n'))).toBe(5);
});

it('prints the folders of the core, each feature and totals', () => {
  const directory = mkdtempSync(join(tmpdir(), 'source-size-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const files = {
    'main.ts': 2,
    'start.mjs': 1,
    'page.html': 9,
    'features/index.ts': 3,
    'features/mail/index.ts': 4,
    'features/mail/smtp/send.ts': 5,
    'rest/wire/form.ts': 6,
  };
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), 'f();\n'.repeat(lines));
  }
  expect(sizeTable(sourceSize(directory)).split('\n')).toEqual([
    '                           files   lines',
    '  .                            2       3',
    '  features                     1       3',
    '  rest                         1       6',
    'core                           4      12',
    '',
    '  mail                         2       9',
    'features                       2       9',
    '',
    'src                            6      21',
    '',
  ]);
});
