import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';

export const isWatched = process.env['WATCH_REPORT_DEPENDENCIES'] !== undefined;

/**
 * Starts the gateway again when a file changes, also one that does not exist yet. Node watches each module by itself, but
 * not the one by which an editor replaces it: that is a change of the folder.
 */
export function dependOn(file: string): void {
  if (isWatched) process.send?.({ 'watch:require': [dirname(file)] });
}

export function startWatching(): void {
  const given = process.argv.slice(1).filter((argument) => argument !== '--watch');
  const options = ['--watch', '--watch-preserve-output', ...given];
  // Windows cannot replace a process.
  if (process.platform === 'win32') {
    const { status } = spawnSync(process.execPath, options, { stdio: 'inherit' });
    process.exit(status ?? 1);
  }
  process.execve!(process.execPath, [process.execPath, ...options], process.env);
}
