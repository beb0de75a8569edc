import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { spawnProgram } from '../helpers/process.ts';
import { cleanEnvironment, runWell } from '../package/run-program.ts';

/** A directory in which a test acts as the reader of a page. */
export interface Project {
  readonly directory: string;
  write(files: ReadonlyMap<string, string>): Promise<void>;
  /** Runs a command until it ends. Rejects with its output if it fails. */
  run(command: string): Promise<void>;
  /**
   * Starts `npm run dev` on a free port, and returns the origin when Vite responds. Packages are bundled anew: if Vite
   * finds a new one later, it reloads the page.
   */
  startVite(): Promise<{ readonly origin: string; stop(): Promise<void> }>;
}

/** Creates an empty directory, which is removed when the test ends. */
export async function createProject(): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), 'front-end-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return {
    directory,
    async write(files) {
      for (const [path, text] of files) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await writeFile(join(directory, path), text);
      }
    },
    async run(command) {
      // The suite before this one installs almost the same packages.
      const settings = 'export npm_config_prefer_offline=true npm_config_audit=false';
      await runWell(directory, 'sh', '-c', `${settings}; ${command}`);
    },
    async startVite() {
      const port = await freePort();
      const args = ['run', 'dev', '--', '--port', `${port}`, '--strictPort', '--force'];
      const vite = spawnProgram('npm', args, {
        cwd: directory,
        env: cleanEnvironment(directory),
        detached: true, // npm starts Vite as a process of its own
      });
      await expect.poll(vite.output).toContain(`http://localhost:${port}/`);
      const stop = async (): Promise<void> => {
        process.kill(-vite.child.pid!, 'SIGKILL');
        await vite.exited;
      };
      return { origin: `http://localhost:${port}`, stop };
    },
  };
}
