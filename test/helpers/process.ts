import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { collectOutput } from './child-output.ts';
import { openConnection, readToEnd } from './raw-connection.ts';

const execute = promisify(execFile);

export interface GatewayProcess {
  readonly child: ChildProcess;
  /** Its output so far, of both streams. */
  output(): string;
  /** Exit code. Null if a signal ended it. */
  readonly exited: Promise<number | null>;
}

/**
 * Starts the gateway with only these settings, and kills it when the test ends. Several processes form a process group,
 * which can receive signals as from a terminal.
 */
export function spawnGateway(
  settings: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): GatewayProcess {
  return spawnTo('pipe', settings, flags);
}

/** The same with another working directory. */
export function spawnGatewayIn(
  directory: string,
  settings: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): GatewayProcess {
  return spawnTo('pipe', settings, flags, directory);
}

/** The same with a file as standard output. `output()` is that of standard error. */
export function spawnGatewayTo(
  file: string,
  settings: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): GatewayProcess {
  const descriptor = openSync(file, 'w');
  try {
    return spawnTo(descriptor, settings, flags);
  } finally {
    closeSync(descriptor);
  }
}

/** The standard output of a command without settings. Rejects with its other output if the command fails. */
export async function printedBy(...flags: readonly string[]): Promise<string> {
  const options = { env: { PATH: process.env['PATH'] }, maxBuffer: 2 ** 24 };
  const { stdout } = await execute(process.execPath, [resolve('src/start.mjs'), ...flags], options);
  return stdout;
}

function spawnTo(
  stdout: 'pipe' | number,
  settings: Readonly<Record<string, string>>,
  flags: readonly string[],
  cwd = process.cwd(),
): GatewayProcess {
  return spawnProgram(process.execPath, [resolve('src/start.mjs'), ...flags], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
    stdio: ['ignore', stdout, 'pipe'],
    detached: settings['WORKERS'] !== undefined,
  });
}

/** Starts a program, and kills it when the test ends: its process group if it is `detached`. */
export function spawnProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): GatewayProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const output = collectOutput(child);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    if (options.detached) killGroup(child.pid!);
    else child.kill('SIGKILL');
    await exited;
  });
  return { child, output, exited };
}

/** Returns the URL that a gateway prints, as text at a terminal. */
export async function addressOf(gateway: GatewayProcess): Promise<string> {
  const early = gateway.exited.then(() => {
    throw new Error(`the gateway ended: ${gateway.output()}`);
  });
  const found = new Promise<string>((resolve) => {
    const look = (): void => {
      const started =
        /"msg":"gateway started","url":"(http:[^"]+)"|^GraphQL gateway: (\S+)\/graphql/m;
      const [, logged, shown] = started.exec(gateway.output()) ?? [];
      const url = logged ?? shown;
      if (url !== undefined) resolve(url);
    };
    gateway.child.stdout?.on('data', look);
    look();
  });
  return Promise.race([found, early]);
}

/** Suspends a process until it receives SIGCONT. The kernel still accepts connections and data for it. Linux only. */
export async function suspend(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /);
}

/**
 * Sends a small query on a new connection. Resolves when the kernel has received it.
 *
 * @returns all that arrives until the gateway closes the connection, or the error of the connection
 */
export async function sendQuery(url: string): Promise<{ readonly text: Promise<string> }> {
  const socket = openConnection(url);
  const text = readToEnd(socket).catch((error: unknown) => String(error));
  const head = ['GET /graphql?query={__typename} HTTP/1.1', 'host: localhost'];
  const bytes = [...head, 'apollo-require-preflight: 1', '', ''].join('\r\n');
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return { text };
}

/** Kills a process group. It is not an error if it has ended. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export type LogLine = Readonly<Record<string, unknown>>;

/** Its log lines so far. @throws {Error} if a line is not JSON */
export function logOf(gateway: GatewayProcess): LogLine[] {
  const whole = gateway.output().split('\n').slice(0, -1);
  return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}

/** Waits for the first log line that contains all of `fields`. */
export async function logged(gateway: GatewayProcess, fields: LogLine): Promise<LogLine> {
  const find = (): LogLine | undefined =>
    logOf(gateway).find((line) =>
      Object.entries(fields).every(([name, value]) => line[name] === value),
    );
  return new Promise((resolve, reject) => {
    const { child } = gateway;
    const settle = (line: LogLine | undefined): void => {
      if (line === undefined) return;
      child.stdout?.off('data', look);
      child.off('close', ended);
      resolve(line);
    };
    const look = (): void => settle(find());
    const ended = (): void => {
      look();
      reject(new Error(`it ended without ${JSON.stringify(fields)}: ${gateway.output()}`));
    };
    child.stdout?.on('data', look);
    child.once('close', ended);
    look();
  });
}
