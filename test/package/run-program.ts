import { spawn } from 'node:child_process';
import { delimiter, dirname, resolve } from 'node:path';
import { collectOutput } from '../helpers/child-output.ts';
import { registryEnvironment } from '../helpers/registry-environment.ts';

/** Root of this repository. */
export const root = resolve(import.meta.dirname, '../..');

/** Less than the time limits of tests and hooks, so that a test that fails shows the output of its program. */
const limitMs = 840_000;

/** The exit code of a program that has ended, and what it wrote. */
export interface ProgramResult {
  readonly code: number | null;
  /** Both streams, without colours. */
  readonly output: string;
}

/** Variables that npm, Vitest and CI set for this process. */
const foreign =
  /^(npm_|INIT_CWD$|VITEST|NODE_(ENV|OPTIONS|PATH)$|(MODE|DEV|PROD|SSR|TEST|BASE_URL|CI)$|FORCE_)/i;

/** The environment as in a terminal: without what belongs to this run, and with its Node first in the path. */
export function cleanEnvironment(directory: string): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const path = [`${directory}/node_modules/.bin`, dirname(process.execPath), process.env['PATH']];
  return {
    ...Object.fromEntries(kept),
    ...registryEnvironment(),
    NO_COLOR: '1',
    PATH: path.join(delimiter),
  };
}

/** Runs a program in a directory until it ends. It is killed after `limitMs`. */
export async function run(
  directory: string,
  command: string,
  ...args: readonly string[]
): Promise<ProgramResult> {
  const child = spawn(command, args, {
    cwd: directory,
    env: cleanEnvironment(directory),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const output = collectOutput(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output: output() };
}

/** Runs a program that has to succeed. @returns its output */
export async function runWell(
  directory: string,
  command: string,
  ...args: readonly string[]
): Promise<string> {
  const { code, output } = await run(directory, command, ...args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
