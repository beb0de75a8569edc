import { readFileSync } from 'node:fs';
import { DockerfileParser, type Healthcheck } from 'dockerfile-ast';

export const dockerfileText = readFileSync(
  new URL('../../deploy/Dockerfile', import.meta.url),
  'utf8',
);

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

/** Reads the stages of deploy/Dockerfile. The stage `gateway` is the image. */
export function readStages(): Stage[] {
  const stages: (Stage & { steps: Step[] })[] = [];
  for (const instruction of DockerfileParser.parse(dockerfileText).getInstructions()) {
    const name = instruction.getInstruction().toUpperCase();
    const text = instruction.getArgumentsContent() ?? '';
    if (name === 'FROM') {
      const [base = '', , as = null] = text.split(/\s+/);
      stages.push({ name: as, base, steps: [] });
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

/** The stage with this name. */
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

/** Paths and patterns from the root of the repository that .dockerignore allows. It excludes all others. */
export function buildContext(): string[] {
  const lines = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8')
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
