import { spawn, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';

export interface GatewayProcess {
  readonly child: ChildProcess;
  /** What it wrote so far, on both streams. */
  output(): string;
  /** Code it ended with; null where a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** Starts the gateway as its own process with these settings and no others; it is killed when the test ends. */
export function spawnGateway(
  settings: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): GatewayProcess {
  const child = spawn(process.execPath, ['src/start.mjs', ...flags], {
    env: { PATH: process.env['PATH'], PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, output: () => output, exited };
}

/** The address that a started gateway printed. */
export async function addressOf(gateway: GatewayProcess): Promise<string> {
  const early = gateway.exited.then(() => {
    throw new Error(`the gateway ended: ${gateway.output()}`);
  });
  const found = new Promise<string>((resolve) => {
    const look = (): void => {
      const [, url] = /^GraphQL gateway: (http:\S+)\/graphql/m.exec(gateway.output()) ?? [];
      if (url !== undefined) resolve(url);
    };
    gateway.child.stdout?.on('data', look);
    look();
  });
  return Promise.race([found, early]);
}
