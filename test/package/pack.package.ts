import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { root, run } from './run-program.ts';

/* package.json after an interrupted `npm pack`, in a copy of what scripts/pack.ts restores. */

const kept = { name: 'a', type: 'module' };
const original = JSON.stringify({ ...kept, optionalDependencies: { b: '1.0.0' } });
const packed = `${JSON.stringify({ ...kept, gitHead: '0123abc' }, null, 2)}\n`;
let project = '';

const read = (): string => readFileSync(join(project, 'package.json'), 'utf8');

/** Restores a package.json with this text. */
function restore(text: string) {
  writeFileSync(join(project, 'package.json'), text);
  return run(project, 'node', 'scripts/pack.ts', 'restore');
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'pack-test-'));
  for (const path of ['scripts', 'dist/originals']) {
    mkdirSync(join(project, path), { recursive: true });
  }
  cpSync(join(root, 'scripts/pack.ts'), join(project, 'scripts/pack.ts'));
  writeFileSync(join(project, 'dist/originals/package.json'), original);
  return () => rmSync(project, { recursive: true, force: true });
});

it.each([
  { state: 'packed', text: packed },
  { state: 'original', text: original },
])('restores package.json if it is the $state one', async ({ text }) => {
  expect(await restore(text)).toEqual({ code: 0, output: '' });
  expect(read()).toBe(original);
  expect(existsSync(join(project, 'dist/originals'))).toBe(false);
});

it('keeps a package.json that was edited, and its version before', async () => {
  const edited = packed.replace('"a"', '"b"');
  const { code, output } = await restore(edited);
  expect(code).toBe(1);
  expect(output).toContain('package.json: changed since `npm pack` was interrupted.');
  expect(read()).toBe(edited);
  expect(existsSync(join(project, 'dist/originals'))).toBe(true);
});
