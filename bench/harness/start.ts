import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Contestant } from '../contestants/list.ts';

const START_LIMIT_MS = 20_000;
const logs = fileURLToPath(new URL('../results/.tmp/', import.meta.url));

export interface Started {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Time from spawning the process to the first response; for the gateway, to the first 200 of /readyz. */
  readonly readyMs: number;
  /** The file that contains its output. */
  readonly log: string;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a contestant in a process of its own and waits until it is ready. Its output goes to a file, as in production.
 *
 * @param wrapper a command that executes the one after it
 * @throws {Error} with the end of that output, if it exits or is not ready in time
 */
export async function start(
  contestant: Contestant,
  upstream: string,
  nodeFlags: readonly string[] = [],
  wrapper: readonly string[] = [],
): Promise<Started> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(logs, { recursive: true });
  const log = `${logs}${contestant.name}.log`;
  const out = openSync(log, 'w');
  const started = performance.now();
  const { script, args: scriptArgs = [] } = contestant;
  const command = [...wrapper, process.execPath, ...nodeFlags, script, ...scriptArgs];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: contestant.cwd,
    env: { ...clean(), ...contestant.env, PORT: String(port), DMS_URL: upstream },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const ended = once(child, 'exit');
  while (!(await serves(url + (contestant.readyPath ?? '/'), contestant.readyPath !== undefined))) {
    const late = performance.now() - started > START_LIMIT_MS;
    if (late || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(
        `${contestant.name} did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`,
      );
    }
    await sleep(5);
  }
  return {
    name: contestant.name,
    url,
    pid: child.pid ?? 0,
    readyMs: performance.now() - started,
    log,
    stop: () => end(child, ended),
  };
}

async function serves(url: string, wants200: boolean): Promise<boolean> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(2000) });
    return wants200 ? status === 200 : true;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(killer);
}

/** A minimal environment, without the settings of the user who runs the benchmark. */
function clean(): Record<string, string> {
  const kept: Record<string, string> = { NODE_ENV: 'production' };
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LANG']) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
