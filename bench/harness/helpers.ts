import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { LoadFigures, Command, Reply } from './messages.ts';
import { freePort } from './start.ts';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The upstream process and its control interface. */
export interface Upstream {
  readonly url: string;
  delay(ms: number): Promise<void>;
  /** Calls by route since the previous call of this function. */
  takeCounts(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export async function startUpstream(delayMs: number, port?: number): Promise<Upstream> {
  const on = port ?? (await freePort());
  const url = `http://127.0.0.1:${on}`;
  const child = fork(path('../upstream/server.ts'), {
    env: { ...process.env, PORT: String(on), DELAY_MS: String(delayMs) },
  });
  await once(child, 'message');
  return {
    url,
    delay: async (ms) => {
      await (await fetch(`${url}/control/delay/${ms}`, { method: 'POST' })).arrayBuffer();
    },
    takeCounts: async () => {
      const answer = await fetch(`${url}/control/counts`, { method: 'DELETE' });
      return (await answer.json()) as Record<string, number>;
    },
    stop: () => stop(child),
  };
}

/** The process that sends the requests. */
export interface Loader {
  /** @throws {Error} the error of the load process */
  execute(command: Command): Promise<LoadFigures | undefined>;
  stop(): Promise<void>;
}

export function startLoader(): Loader {
  const child = fork(path('./load/process.ts'));
  return {
    execute: async (command) => {
      child.send(command);
      const [reply] = (await once(child, 'message')) as [Reply];
      if (reply.error !== undefined) throw new Error(reply.error);
      return reply.figures;
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
