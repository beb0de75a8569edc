import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Files, and their lines of code: those with more than spaces and comments. */
export interface Size {
  readonly files: number;
  readonly lines: number;
}

/** The sizes of the folders of a source tree: those of the core, and features. */
export interface SourceSize {
  /** By folder. The files beside the folders are `.`, and what features share is `features`. */
  readonly core: Readonly<Record<string, Size>>;
  /** By name. */
  readonly features: Readonly<Record<string, Size>>;
}

/** Measures the TypeScript and JavaScript files of a folder like src/. */
export function sourceSize(directory: string): SourceSize {
  const core: Record<string, Size> = {};
  const features: Record<string, Size> = {};
  for (const path of globSync('**/*.{ts,mjs,js}', { cwd: directory }).toSorted()) {
    const [, feature] = /^features\/([^/]+)\//.exec(path) ?? [];
    const [folder] = /^[^/]+(?=\/)/.exec(path) ?? ['.'];
    const [sizes, name] = feature === undefined ? [core, folder] : [features, feature];
    const lines = linesOfCode(path, readFileSync(join(directory, path), 'utf8'));
    sizes[name] = totalOf([sizes[name] ?? { files: 0, lines: 0 }, { files: 1, lines }]);
  }
  return { core, features };
}

/** The number of lines of a source text that have more than spaces and comments. */
export function linesOfCode(path: string, source: string): number {
  const { comments } = parseSync(path, source);
  const code = comments.reduceRight(
    (text, { start, end }) =>
      text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, '') + text.slice(end),
    source,
  );
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

/** The table that `npm run walk -- --size` prints. */
export function sizeTable({ core, features }: SourceSize): string {
  const row = (name: string, { files, lines }: Size): string =>
    `${name.padEnd(24)}${String(files).padStart(8)}${String(lines).padStart(8)}\n`;
  const section = (title: string, sizes: Readonly<Record<string, Size>>): string => {
    const rows = Object.entries(sizes)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, size]) => row(`  ${name}`, size));
    return rows.join('') + row(title, totalOf(Object.values(sizes)));
  };
  const all = totalOf([...Object.values(core), ...Object.values(features)]);
  const head = `${''.padEnd(24)}${'files'.padStart(8)}${'lines'.padStart(8)}\n`;
  return `${head}${section('core', core)}\n${section('features', features)}\n${row('src', all)}`;
}

function totalOf(sizes: readonly Size[]): Size {
  return {
    files: sizes.reduce((sum, { files }) => sum + files, 0),
    lines: sizes.reduce((sum, { lines }) => sum + lines, 0),
  };
}
