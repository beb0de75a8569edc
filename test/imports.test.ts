import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Who may import whom, besides itself and `model`; type-only imports count. */
const allowed: Record<string, readonly string[]> = {
  model: [],
  rest: [],
  loaders: ['rest'],
  context: ['rest', 'loaders'],
  schema: ['context'],
  server: [
    'schema',
    'context',
    'rest/byte-buffer.ts',
    'rest/caller.ts',
    'rest/dms.ts',
    'rest/errors.ts',
    'rest/http.ts',
    'rest/observer.ts',
    'rest/turn.ts',
  ],
  workers: ['rest/reference-cache.ts', 'server/metrics.ts', 'server/output.ts'],
  config: [],
  main: ['config', 'rest', 'server', 'schema', 'workers', 'sandbox/index.ts'],
  sandbox: [],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

async function imports(): Promise<Import[]> {
  const files = (
    await Promise.all(
      ['src', 'sandbox'].map((folder) =>
        readdir(join(root, folder), { recursive: true }).then((names) =>
          names.filter((name) => name.endsWith('.ts')).map((name) => join(root, folder, name)),
        ),
      ),
    )
  ).flat();
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
      return [...specifiers].map(([, specifier]) => ({
        from: relative(root, file),
        to: relative(root, resolve(dirname(file), specifier!)),
      }));
    }),
  );
  const all = found.flat();
  // A pattern that finds nothing would find nothing wrong.
  expect(all).toContainEqual({ from: 'src/context.ts', to: 'src/rest/dms.ts' });
  return all;
}

/** `src/rest/wire/person.ts` is in `rest`; `src/main.ts` is `main`. */
const moduleOf = (path: string): string =>
  path.startsWith('sandbox/') ? 'sandbox' : path.split('/')[1]!.replace(/\.ts$/, '');

const within = (path: string): string => path.replace(/^src\//, '');

it('keeps the direction of imports between the rooms', async () => {
  const wrong = (await imports()).filter(({ from, to }) => {
    const [module, other] = [moduleOf(from), moduleOf(to)];
    if (module === other || other === 'model') return module === 'sandbox' && other === 'model';
    const names = allowed[module] ?? [];
    return !names.includes(other) && !names.includes(within(to));
  });
  expect(wrong).toEqual([]);
});

it('keeps the spellings of the service in the wire modules', async () => {
  // In backticks they stand in descriptions and comments, which may say where a value comes from.
  const spellings =
    /(?<![`\w])(_id_web|_id_kf|_id_ext|_id_sys|itearation|kfunid|valuedata|elhead|elmembers|doccf|docsf|taskstatus|filesList)(?![`\w\\])/;
  const names = await readdir(join(root, 'src'), { recursive: true });
  const wrong: string[] = [];
  for (const name of names.filter((name) => name.endsWith('.ts') && !name.includes('rest/wire/'))) {
    if (spellings.test(await readFile(join(root, 'src', name), 'utf8'))) wrong.push(name);
  }
  expect(wrong).toEqual([]);
});
