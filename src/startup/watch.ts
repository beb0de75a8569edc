import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** Whether `node --watch` has started this process. */
export const isWatched = process.env['WATCH_REPORT_DEPENDENCIES'] !== undefined;

/**
 * Starts the gateway again when a file changes, also one that does not exist yet. Node watches each module by itself, but
 * not the one by which an editor replaces it: that is a change of the folder.
 */
export function dependOn(file: string): void {
  if (isWatched) process.send?.({ 'watch:require': [dirname(file)] });
}

/** Runs the gateway with `node --watch` in place of this process. */
export function startWatching(): void {
  const given = process.argv.slice(1).filter((argument) => argument !== '--watch');
  const watcher = spawn(process.execPath, ['--watch', '--watch-preserve-output', ...given], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => watcher.kill(signal));
  watcher.once('exit', (code) => process.exit(code ?? 1));
}
