import { fork, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { WatchedMessage } from '../../server/feature.ts';

/** Several events belong to one change: an editor empties a file before it writes it. */
const quietMs = 50;
/** How long running requests may delay a restart. */
const stopLimitMs = 250;

/** @see ConfigLoader.watch. SIGTERM and SIGINT end both processes. */
export function startWatching(entry: string, flags: readonly string[]): void {
  // Restarts listen on the port of the first start, also with PORT=0.
  const env: NodeJS.ProcessEnv = { ...process.env };
  const namesByDirectory = new Map<string, Set<string>>();
  let child = start();
  let isStopping = false;
  let quiet: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    // In a process group of its own, so that the terminal does not send it SIGINT besides this process.
    const started = fork(entry, flags, { env, detached: process.platform !== 'win32' });
    started.on('message', (message: WatchedMessage) => {
      if ('file' in message) watchFile(message.file);
      else if (env['PORT'] === '0') env['PORT'] = String(message.port);
    });
    started.once('exit', () => {
      if (!isStopping)
        process.stdout.write('The gateway has ended. It starts again when a file changes.\n');
    });
    return started;
  }

  /** Watches the directory, because editors replace a file by another one. */
  function watchFile(path: string): void {
    const directory = dirname(path);
    const names = namesByDirectory.get(directory);
    if (names !== undefined) {
      names.add(basename(path));
      return;
    }
    const added = new Set([basename(path)]);
    try {
      const onChange = (_type: string, name: string | null): void => {
        if (name === null || added.has(name)) changed();
      };
      watch(directory, onChange).on('error', () => namesByDirectory.delete(directory));
      namesByDirectory.set(directory, added);
    } catch {
      // The directory does not exist, or cannot be watched.
    }
  }

  function changed(): void {
    clearTimeout(quiet);
    quiet = setTimeout(() => void restart(), quietMs);
  }

  async function restart(): Promise<void> {
    if (isStopping) return;
    process.stdout.write('A file has changed. The gateway starts again.\n');
    isStopping = true;
    await stop('SIGTERM', stopLimitMs);
    isStopping = false;
    child = start();
  }

  /** Ends the gateway. Resolves with its exit code. */
  function stop(signal: NodeJS.Signals, limitMs?: number): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve(child.exitCode);
    const late =
      limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.kill(signal);
    return new Promise((resolve) => {
      child.once('exit', (code) => {
        clearTimeout(late);
        resolve(code);
      });
    });
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      isStopping = true;
      void stop(signal).then((code) => process.exit(code ?? 1));
    });
  }
}
