/** @module-tag nightly */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSections } from '../front-end/page-section.ts';
import { root, runWell } from '../package/run-program.ts';
import { compileFeatures, copyWithout } from './copy.ts';

it('leads to a feature that compiles and passes its tests', async () => {
  const page = readFileSync(join(root, 'docs/write-a-feature.md'), 'utf8');
  const copy = await copyWithout(new Set());
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const edit = (path: string, pattern: RegExp | string, text: string): void => {
    const before = readFileSync(join(copy, path), 'utf8');
    const after = before.replace(pattern, text);
    expect({ path, isUnchanged: after === before }).toEqual({ path, isUnchanged: false });
    writeFileSync(join(copy, path), after);
  };

  for (const [path, text] of readSections(page)[0]!.files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  const list = 'src/features/index.ts';
  edit(list, /^/, `import { notice } from './notice/index.ts';\n`);
  edit(list, '\n] as const', '\n  notice,\n] as const');
  edit('deploy/compose.yaml', '- MAX_DEPTH', '- NOTICE\n      - MAX_DEPTH');
  const [line] = /- \[`notice`\].*\n/.exec(page)!;
  edit('docs/architecture.md', '\n<!-- end of features -->', `${line}\n<!-- end of features -->`);
  await runWell(copy, 'node', 'scripts/print-schema.ts');

  const tests = ['test/docs.test.ts', 'test/imports.test.ts', 'test/deploy/compose.test.ts'];
  await runWell(copy, 'vitest', 'run', 'test/features/notice', ...tests);
  await compileFeatures(copy);
});
