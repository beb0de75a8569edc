import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isAbstractType, lexicographicSortSchema, printSchema } from 'graphql';
import { startSandbox } from '../sandbox/index.ts';
import { readForms } from '../src/forms-file.ts';
import { loadGatewayConfig, printSchemaOf } from '../src/gateway-config.ts';
import { printSubgraph } from '../src/schema/federation/subgraph-schema.ts';
import { schema, schemaWith } from '../src/schema/index.ts';

/*
 * Writes the printed schemas from the code. With `--check` it writes nothing, and exits with code 1 if one is outdated.
 * With `--config FILE` it prints the schema with what that configuration adds, or writes it to `--out FILE`. With `--sandbox`
 * it does so with the forms of the sandbox.
 */
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    config: { type: 'string' },
    sandbox: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const printed: Record<string, string> = {};
if (values.sandbox) {
  const sandbox = await startSandbox();
  const whole = schemaWith(readForms(undefined, sandbox.forms, false), null);
  await sandbox.close();
  write(`${printSchema(lexicographicSortSchema(whole))}\n`);
} else if (values.config === undefined) {
  printed['schema.graphql'] = await printSchemaOf({});
  printed['schema.federation.graphql'] = printSubgraph(schema);
  const example = await loadGatewayConfig('gateway.config.ts', 'examples/own-fields');
  printed['examples/own-fields/schema.graphql'] = await printSchemaOf(example!.config);
  printed['src/clients/possible-types.ts'] = printPossibleTypes();
} else {
  const loaded = await loadGatewayConfig(values.config, process.cwd());
  write(await printSchemaOf(loaded?.config ?? {}));
}

for (const [file, text] of Object.entries(printed)) {
  if (!values.check) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => null)) !== text) {
    process.stderr.write(`${file} is stale: run \`npm run schema\` and commit it.\n`);
    process.exitCode = 1;
  }
}

function write(text: string): void {
  if (values.out === undefined) process.stdout.write(text);
  else printed[values.out] = text;
}

/** The members of interfaces and unions, one per line. */
function printPossibleTypes(): string {
  const lines = Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => {
      const names = schema.getPossibleTypes(type).map(({ name }) => `'${name}'`);
      return `  ${type.name}: [${names.toSorted().join(', ')}],\n`;
    });
  return `/** The types of each interface and union, for Apollo Client. Written by \`npm run schema\`. */
export const possibleTypes = {
${lines.toSorted().join('')}};
`;
}
