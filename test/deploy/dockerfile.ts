import { readFileSync } from 'node:fs';
import { DockerfileParser, type Healthcheck } from 'dockerfile-ast';

const root = new URL('../../', import.meta.url);

/** Reads a file by its path from the root of the repository. */
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The Dockerfile of the gateway. */
const gatewayDockerfile = 'deploy/Dockerfile';

export const dockerfileText = read(gatewayDockerfile);

/** One instruction with its continuation lines. */
export interface Step {
  /** In upper case: `COPY`. */
  readonly name: string;
  /** The text after the name and flags. */
  readonly text: string;
  /** Flags by name: `{ from: 'packages' }`. */
  readonly flags: Readonly<Record<string, string>>;
}

export interface Stage {
  /** Null if the stage has no name. */
  readonly name: string | null;
  readonly base: string;
  readonly steps: readonly Step[];
}

/** Reads the stages of a Dockerfile, with the defaults of the arguments in their bases. The image is the last one. */
export function readStages(dockerfile = gatewayDockerfile): Stage[] {
  const stages: (Stage & { steps: Step[] })[] = [];
  const defaults = new Map<string, string>();
  for (const instruction of DockerfileParser.parse(read(dockerfile)).getInstructions()) {
    const name = instruction.getInstruction().toUpperCase();
    const text = instruction.getArgumentsContent() ?? '';
    if (name === 'FROM') {
      const [base = '', , as = null] = text.split(/\s+/);
      const given = base.replaceAll(/\$\{(\w+)\}/g, (_all, argument: string) => {
        const value = defaults.get(argument);
        if (value === undefined) throw new Error(`${argument} is not an argument before FROM`);
        return value;
      });
      stages.push({ name: as, base: given, steps: [] });
      continue;
    }
    if (name === 'ARG' && stages.length === 0) {
      const [argument = '', value = ''] = text.split('=');
      defaults.set(argument, value);
      continue;
    }
    const flags = 'getFlags' in instruction ? (instruction as Healthcheck).getFlags() : [];
    stages.at(-1)!.steps.push({
      name,
      text,
      flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    });
  }
  return stages;
}

/** The stage of deploy/Dockerfile with this name. */
export function readStage(name: string): Stage {
  const stage = readStages().find((one) => one.name === name);
  if (stage === undefined) throw new Error(`there is no stage ${name}`);
  return stage;
}

/** The arguments of a command, which the shell splits unless they are a JSON list. */
export function argvOf(command: string): string[] {
  if (!command.startsWith('[')) return ['sh', '-c', command];
  return (JSON.parse(command) as unknown[]).map(String);
}

/** The command that the engine runs to check the health of a container. */
export function healthCommandOf(step: Step): string[] {
  return argvOf(step.text.replace(/^CMD\s+/, ''));
}

/**
 * Paths and patterns that the .dockerignore of a folder allows. It excludes all others.
 *
 * @param folder with a slash at the end. Empty for the root of the repository
 */
export function buildContext(folder = ''): string[] {
  const lines = read(`${folder}.dockerignore`)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.shift() !== '*') throw new Error('.dockerignore does not begin with *');
  return lines.map((line) => {
    if (/^![\w./-]+(?:\/\*\.\w+)?$/.test(line)) return line.slice(1);
    throw new Error(
      `.dockerignore: ${line} is more than a path or the files of one type in a folder`,
    );
  });
}
