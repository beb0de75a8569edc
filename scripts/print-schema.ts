import { readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { printSubgraph } from '../src/schema/federation/print-subgraph.ts';
import { schema } from '../src/schema/index.ts';

/*
 * Writes the printed schemas from the code. With `--check` it writes nothing, and exits with code 1 if one is outdated.
 */
const printed: Record<string, string> = {
  'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
  'schema.federation.graphql': printSubgraph(schema),
};

for (const [name, text] of Object.entries(printed)) {
  const file = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => null)) !== text) {
    process.stderr.write(`${name} is stale: run \`npm run schema\` and commit it.\n`);
    process.exitCode = 1;
  }
}
