import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const configuration = new URL('../../deploy/nginx.conf', import.meta.url);

/**
 * Starts nginx with deploy/nginx.conf before a gateway and waits until it listens. Only its addresses and its folder
 * differ.
 */
export async function startNginx(
  gateway: string,
  port: number,
): Promise<{ readonly url: string; readonly pid: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  chmodSync(folder, 0o755); // its workers run as another user
  const file = join(folder, 'nginx.conf');
  const text = readFileSync(configuration, 'utf8')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('server gateway:4000;', `server ${new URL(gateway).host};`)
    .replaceAll('/tmp/', `${folder}/`);
  writeFileSync(file, text);
  const child = spawn('nginx', ['-e', 'stderr', '-c', file, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error('nginx did not start');
    await sleep(20);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
