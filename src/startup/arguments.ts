import { parseArgs } from 'node:util';
import { configFileNames } from '../config-file/index.ts';
import { isRunAs } from '../model/identity.ts';
import { features } from '../features/index.ts';
import type { Feature } from '../server/feature.ts';

/** Features that print the schema. */
const printers = (features as readonly Feature[]).filter(
  ({ schemaPrinter }) => schemaPrinter !== undefined,
);

/** What `--help` prints about the arguments. */
export const argumentsTable = `  check          checks the DMS of the settings with reads only, and exits with 1 if the gateway cannot use it
  --run-as USER  with check: also reads for this user; with forms: reads as this user
  forms          prints the forms of the DMS, for the option forms of the configuration file
  schema         prints the schema that the gateway serves with its settings and configuration file
${printers
  .map((one) => `  ${`--${one.name}`.padEnd(13)}  with schema: ${one.schemaPrinter!.description}\n`)
  .join('')}  --check-documents FILE
                 with schema: checks a manifest of trusted documents, and exits with 1 if one is not valid; repeatable
  --out FILE     with forms or schema: writes to a file
  --config FILE  what a team adds; default ${configFileNames} in the working directory
  --watch        starts again when that file, its imports, the forms or the manifest change; not in production
  --version      prints version and commit
`;

const commandNames = ['check', 'forms', 'schema'] as const;
const options = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  config: { type: 'string' },
  'run-as': { type: 'string' },
  out: { type: 'string' },
  'check-documents': { type: 'string', multiple: true },
  watch: { type: 'boolean', default: false },
  // Set by the process that starts this one.
  worker: { type: 'boolean', default: false },
  watched: { type: 'boolean', default: false },
} as const;

const printerOptions = Object.fromEntries(
  printers.map(({ name }) => [name, { type: 'boolean' as const }]),
);

/**
 * Reads the arguments of this process. `printer` is the name of the feature that prints the schema.
 *
 * @throws if one is unknown, or has no meaning with the others
 */
export function readArguments(isProduction: boolean) {
  const parsed = parseArgs({
    options: { ...printerOptions, ...options },
    allowPositionals: true,
  });
  const { positionals } = parsed;
  const values = parsed.values;
  const printer = printers.find(({ name }) => Object.hasOwn(values, name))?.name;
  const [given, ...more] = positionals;
  const command = commandNames.find((name) => name === given);
  const unknown = command === undefined ? given : more[0];
  if (unknown !== undefined) throw new Error(`Unknown argument '${unknown}'`);
  const problem = problemOf({ ...values, printer }, command, isProduction);
  if (problem !== undefined) throw new Error(problem);
  return { ...values, command, printer };
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function problemOf(
  { worker, watched, watch, printer, out, ...others }: Values & { printer: string | undefined },
  command: (typeof commandNames)[number] | undefined,
  isProduction: boolean,
): string | undefined {
  const { 'run-as': runAs, 'check-documents': manifests } = others;
  const isSchema = command === 'schema';
  const readsDms = command === 'check' || command === 'forms';
  const isChild = process.send !== undefined;
  const problems: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [worker && !isChild, "Unknown option '--worker'"],
    [watched && !isChild, "Unknown option '--watched'"],
    [
      runAs !== undefined && (!readsDms || !isRunAs(runAs)),
      '--run-as needs check or forms, and the system ID or e-mail address of a user',
    ],
    [
      out !== undefined && command !== 'forms' && (!isSchema || manifests !== undefined),
      '--out needs forms, or schema without --check-documents',
    ],
    [!isSchema && printer !== undefined, `--${printer} needs schema`],
    [!isSchema && manifests !== undefined, '--check-documents needs schema'],
    [
      printer !== undefined && manifests !== undefined,
      `--check-documents cannot be used with --${printer}`,
    ],
    [watch && command !== undefined, `--watch cannot be used with ${command}`],
    [watch && isProduction, '--watch is for development, and NODE_ENV is production'],
  ];
  return problems.find(([isWrong]) => isWrong)?.[1];
}
