import { spawn, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../helpers/process.ts';

/**
 * Starts the gateway in a pseudo-terminal, with only these settings, and stops it when the test ends. Its output has the
 * line breaks of a terminal (CR LF) and contains both streams.
 */
export function spawnInTerminal(settings: Readonly<Record<string, string>>): GatewayProcess {
  const child = spawn('script', ['-qec', `exec ${process.execPath} src/start.mjs`, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', PORT: '0', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    if (child.exitCode === null) interrupt(child);
    await exited;
  });
  return { child, output: () => output, exited };
}

/** Presses Ctrl+C. The terminal sends SIGINT to the gateway and its workers. */
export function interrupt(child: ChildProcess): void {
  child.stdin?.write('\u0003');
}
