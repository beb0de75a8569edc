import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, copyFile, glob, mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { collectOutput } from '../helpers/child-output.ts';
import { registryEnvironment } from '../helpers/registry-environment.ts';
import { argvOf, buildContext, healthCommandOf, type Stage, type Step } from './dockerfile.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The value of each build argument. */
export const buildArgument = 'a build argument';

/** A built stage, below a directory that represents the root of its file system. */
export interface Built {
  readonly root: string;
  /** Absolute path within the image: `/app`. */
  workdir: string;
  readonly env: Record<string, string>;
  /** Numeric ID of its user. 0 is root. */
  uid: number;
  command: readonly string[];
  healthCommand: readonly string[];
}

/** What the stages of an image are built from. */
export interface BuildOptions {
  /** The build context: a folder of this repository, with a slash at the end. Default: its root. */
  readonly context?: string;
  /** Images that exist already, by name. Default: none. */
  readonly images?: ReadonlyMap<string, Built>;
}

/**
 * Executes the stages in order as an engine would, each in its own directory below `folder`. Commands run on this
 * machine, so their paths must be relative. If the tests do not run as root, all files belong to the current user.
 *
 * @returns the stages by name. The last one, which is the default target, has the name ''.
 */
export async function build(
  stages: readonly Stage[],
  folder: string,
  { context = '', images }: BuildOptions = {},
): Promise<ReadonlyMap<string, Built>> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await chmod(folder, 0o755); // readable for the user of the image
  await copyFile(process.execPath, join(folder, 'bin/node'), constants.COPYFILE_FICLONE);
  const built = new Map<string, Built>(images);
  const empty = { workdir: '/', env: baseEnv(folder), uid: 0, command: [], healthCommand: [] };
  for (const [index, { name, base, steps }] of stages.entries()) {
    const root = join(folder, `stage-${index}`);
    await mkdir(root);
    const from = built.get(base);
    if (from !== undefined) await copyFolder(from.root, root);
    const stage = { ...(from ?? empty), env: { ...(from ?? empty).env }, root };
    for (const step of steps) await carryOut(step, stage, built, context);
    built.set(name ?? '', stage);
  }
  return built;
}

/** Copies what a folder contains. Node copies tens of thousands of files much more slowly than cp. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-RPp', `${from}/.`, to]);
}

/**
 * The initial environment of every command: what npm needs to reach its registry, with the pinned Node first in PATH. Any
 * other variable could change what is installed.
 */
function baseEnv(folder: string): Record<string, string> {
  return {
    ...registryEnvironment(),
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    npm_config_prefer_offline: 'true',
  };
}

async function carryOut(
  step: Step,
  image: Built,
  built: ReadonlyMap<string, Built>,
  context: string,
) {
  switch (step.name) {
    case 'WORKDIR':
      image.workdir = step.text;
      await mkdir(join(image.root, image.workdir), { recursive: true });
      break;
    case 'ENV':
      for (const pair of step.text.split(/\s+/)) {
        const [name = '', value = ''] = pair.split('=');
        image.env[name] = value;
      }
      break;
    case 'ARG':
      image.env[step.text.split('=')[0]!] = buildArgument;
      break;
    case 'COPY':
      await copy(step, image, built, context);
      break;
    case 'USER':
      image.uid = step.text === 'root' ? 0 : Number(step.text.split(':')[0]);
      break;
    case 'RUN':
      await succeed(argvOf(step.text), image);
      break;
    case 'HEALTHCHECK':
      image.healthCommand = healthCommandOf(step);
      break;
    case 'CMD':
      image.command = argvOf(step.text);
      break;
    case 'EXPOSE':
      break;
    default:
      throw new Error(`this test does not know how to carry out ${step.name}`);
  }
}

async function copy(
  { text, flags }: Step,
  image: Built,
  built: ReadonlyMap<string, Built>,
  context: string,
) {
  const names = text.split(/\s+/);
  const lastName = names.pop()!;
  const target = join(image.root, image.workdir, lastName);
  if (lastName.endsWith('/')) await mkdir(target, { recursive: true });
  const stage = flags['from'] === undefined ? undefined : built.get(flags['from']);
  for (const name of names) {
    if (stage === undefined && !buildContext(context).includes(name)) {
      throw new Error(`${name} is not in the build context`);
    }
    let matches = 0;
    for await (const source of glob(join(stage?.root ?? join(repository, context), name))) {
      matches += 1;
      const isFolder = (await stat(source)).isDirectory();
      if (isFolder) {
        await mkdir(target, { recursive: true });
        await copyFolder(source, target);
      } else {
        await copyFile(source, join(target, basename(source)));
      }
    }
    if (matches === 0) throw new Error(`no file matches ${name}`);
  }
}

/** Starts a command in a built stage, with its user and environment. */
export function start(
  argv: readonly string[],
  { root, workdir, env, uid }: Built,
  settings: Readonly<Record<string, string>> = {},
): ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const [file = '', ...args] = isRoot ? argv : argv.map(asWhoRunsThis);
  return spawn(file, args, {
    cwd: join(root, workdir),
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid, gid: uid } : {}),
  });
}

function asWhoRunsThis(argument: string): string {
  return argument
    .replace(/-o \d+/, `-o ${process.getuid?.()}`)
    .replace(/-g \d+/, `-g ${process.getgid?.()}`);
}

/** Runs a command and returns its exit code and output. */
export async function run(
  argv: readonly string[],
  image: Built,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  const child = start(argv, image, settings);
  const output = collectOutput(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: output() }));
  });
}

async function succeed(argv: readonly string[], image: Built): Promise<void> {
  const { code, output } = await run(argv, image);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${output}`);
}
