import { readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../src/schema/index.ts';

/*
 * Writes schema.graphql from the code. With `--check` it writes nothing, and exits with code 1 if the file is outdated.
 */
const file = new URL('../schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, printed);
} else if ((await readFile(file, 'utf8')) !== printed) {
  process.stderr.write('schema.graphql is stale: run `npm run schema` and commit it.\n');
  process.exitCode = 1;
}
