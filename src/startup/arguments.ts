import { parseArgs } from 'node:util';
import { isRunAs } from '../model/identity.ts';
import { features } from '../features/index.ts';
import type { Command, SchemaOption } from '../server/command.ts';
import type { Feature } from '../server/feature.ts';

export const schemaOptions = (features as readonly Feature[]).flatMap(
  ({ schemaOption }) => schemaOption ?? [],
);

export interface GivenSchemaOption {
  readonly option: SchemaOption;
  readonly files: readonly string[];
}

function line(name: string, text: string): string {
  const end = name.length > 13 ? `\n${' '.repeat(15)}` : '';
  return `  ${name.padEnd(13)}${end}  ${text}\n`;
}

const schemaCommand: Omit<Command, 'run'> & { readonly run?: undefined } = {
  name: 'schema',
  description: 'prints the schema that the gateway serves with its settings and configuration file',
  writesFile: true,
};
const added = (features as readonly Feature[]).flatMap((feature) => feature.commands ?? []);
const commands = [...added, schemaCommand];
const readers = commands.filter(({ runAs }) => runAs !== undefined);
const writers = commands.filter(({ writesFile }) => writesFile).map(({ name }) => name);

const commandLines = commands.flatMap((command) => [
  line(command.name, command.description),
  ...(command === readers[0]
    ? [line('--run-as USER', readers.map((one) => `with ${one.name}: ${one.runAs}`).join('; '))]
    : []),
]);

export const argumentsTable = `${commandLines.join('')}${schemaOptions
  .map(({ name, takesFile, description }) =>
    line(`--${name}${takesFile ? ' FILE' : ''}`, `with schema: ${description}`),
  )
  .join('')}  --out FILE     with ${writers.join(' or ')}: writes to a file
${line('--config FILE', 'what a team adds; default gateway.config.ts, .mts, .cts, .js, .mjs, .cjs or .json in the working directory')}${line('--watch', 'starts again when that file, its imports, the forms or the manifest change; not in production')}  --version      prints version and commit
`;

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  config: { type: 'string' },
  'run-as': { type: 'string' },
  out: { type: 'string' },
  watch: { type: 'boolean', default: false },
} as const;

const addedOptions = Object.fromEntries(
  schemaOptions.map(({ name, takesFile }) => [
    name,
    takesFile ? ({ type: 'string', multiple: true } as const) : ({ type: 'boolean' } as const),
  ]),
);

export function readArguments(isProduction: boolean) {
  const parsed = parseArgs({
    options: { ...addedOptions, ...options },
    allowPositionals: true,
  });
  const { positionals } = parsed;
  const values: ParsedOptions = parsed.values;
  const found: Readonly<Record<string, unknown>> = parsed.values;
  const givenOptions = schemaOptions
    .filter(({ name }) => Object.hasOwn(found, name))
    .map((option) => ({
      option,
      files: option.takesFile ? (found[option.name] as readonly string[]) : [],
    }));
  const [given, ...more] = positionals;
  const command = commands.find(({ name }) => name === given);
  const unknown = command === undefined ? given : more[0];
  if (unknown !== undefined) throw new Error(`Unknown argument '${unknown}'`);
  const problem = problemOf(values, givenOptions, command, isProduction);
  if (problem !== undefined) throw new Error(problem);
  return { ...values, command, schemaOption: givenOptions[0] ?? null };
}

type ParsedOptions = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function problemOf(
  values: ParsedOptions,
  [given, another]: readonly GivenSchemaOption[],
  command: (typeof commands)[number] | undefined,
  isProduction: boolean,
): string | undefined {
  const { watch, out, 'run-as': runAs } = values;
  const reports = schemaOptions.filter(({ takesFile }) => takesFile);
  const problems: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [
      runAs !== undefined && (command?.runAs === undefined || !isRunAs(runAs)),
      `--run-as needs ${readers.map(({ name }) => name).join(' or ')}, and the system ID or e-mail address of a user`,
    ],
    [
      given !== undefined && command !== schemaCommand,
      `--${given?.option.name} needs ${schemaCommand.name}`,
    ],
    [
      out !== undefined && (!command?.writesFile || given?.option.takesFile === true),
      [
        `--out needs ${writers.join(', or ')}`,
        ...reports.map(({ name }) => `without --${name}`),
      ].join(' '),
    ],
    [
      another !== undefined,
      `--${another?.option.name} cannot be used with --${given?.option.name}`,
    ],
    [watch && command !== undefined, `--watch cannot be used with ${command?.name}`],
    [watch && isProduction, '--watch is for development, and NODE_ENV is production'],
  ];
  return problems.find(([isWrong]) => isWrong)?.[1];
}
