import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isAbstractType } from 'graphql';
import { openSchemaOf, printSchemaOf } from '../src/gateway-config.ts';
import { align, rowsByGroup } from '../src/config/print-settings.ts';
import { readConfig, settings } from '../src/features/settings.ts';
import { schemaOptions } from '../src/startup/arguments.ts';
import { loadConfig } from '../src/startup/load-config.ts';
import { printServedSchema } from '../src/startup/commands.ts';

/** The schema of a gateway without settings. */
const schema = await (await openSchemaOf({}, readConfig({}))).build();

/*
 * Writes the printed schemas from the code. With `--check` it writes nothing, and exits with code 1 if one is outdated.
 * All other arguments are those of `dms-graphql-gateway schema`, which then runs.
 */
const [first] = process.argv.slice(2);
if (first === undefined || first === '--check') {
  await writeCommitted(first !== undefined);
} else {
  process.argv.splice(2, 0, 'schema');
  await import('../src/main.ts');
}

async function writeCommitted(isCheck: boolean): Promise<void> {
  // The example goes with a feature that it uses.
  const example = existsSync('examples/own-fields')
    ? await loadConfig('gateway.config.ts', 'examples/own-fields', () => {})
    : null;
  const printed = {
    'schema.graphql': await printSchemaOf({}),
    ...(await printedByFeatures()),
    ...(example && {
      'examples/own-fields/schema.graphql': await printSchemaOf(example.config),
    }),
    'src/clients/possible-types.ts': printPossibleTypes(),
    'docs/settings.md': withSettings(await readFile('docs/settings.md', 'utf8')),
  };
  for (const [file, text] of Object.entries(printed)) {
    if (!isCheck) {
      await writeFile(file, text);
    } else if ((await readFile(file, 'utf8').catch(() => null)) !== text) {
      process.stderr.write(`${file} is stale: run \`npm run update\` and commit it.\n`);
      process.exitCode = 1;
    }
  }
}

/** What the command `schema` prints with each option of a feature that prints a schema, without forms. */
async function printedByFeatures(): Promise<Record<string, string>> {
  const printed: Record<string, string> = {};
  const config = readConfig({ DMS_URL: 'http://dms.example' });
  for (const option of schemaOptions) {
    if (option.takesFile) continue;
    const text = await printServedSchema(config, {}, '.', { option, files: [] });
    printed[`schema.${option.name}.graphql`] = text;
  }
  return printed;
}

/** The members of interfaces and unions, one per line. */
function printPossibleTypes(): string {
  const lines = Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => {
      const names = schema.getPossibleTypes(type).map(({ name }) => `'${name}'`);
      return `  ${type.name}: [${names.toSorted().join(', ')}],\n`;
    });
  return `/** The types of each interface and union, for Apollo Client. Written by \`npm run update\`. */
export const possibleTypes = {
${lines.toSorted().join('')}};
`;
}

/** The page of the settings with the rows of the table. */
function withSettings(page: string): string {
  let text = page;
  for (const [group, rows] of rowsByGroup(settings)) {
    const named = rows.map(([name, ...cells]) => [`\`${name}\``, ...cells]);
    const [head, ...body] = align([['name', 'default', 'range', 'meaning', 'set it'], ...named]);
    const line = head!.map((cell) => '-'.repeat(cell.length));
    const printed = [head!, line, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
    text = text.replace(
      new RegExp(`(?<=^## ${group}\n\n)(?:\\|.*\n?)+`, 'm'),
      () => `${printed}\n`,
    );
  }
  return text;
}
