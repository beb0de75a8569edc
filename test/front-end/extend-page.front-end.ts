import { spawn } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { addressOf } from '../helpers/process.ts';
import { cleanEnvironment, root, runWell } from '../package/run-program.ts';
import { readSections } from './page-section.ts';
import { createProject } from './project.ts';

const page = await readFile(join(root, 'docs/extend.md'), 'utf8');

/** Starts `npx dms-graphql-gateway` in a directory on a free port. Returns the URL of the gateway. */
async function startCommand(directory: string): Promise<string> {
  const child = spawn('npx', ['dms-graphql-gateway'], {
    cwd: directory,
    env: { ...cleanEnvironment(directory), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group: npx starts the gateway as a process of its own
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    process.kill(-child.pid!, 'SIGTERM');
    await exited;
  });
  return addressOf({ child, exited, output: () => output });
}

it('leads from an empty folder to a field, its test, its types and its schema', async () => {
  const { directory, write, run } = await createProject();
  const tarball = inject('tarball');
  await copyFile(tarball, join(directory, basename(tarball)));
  const outputs: string[] = [];
  let url: string | undefined;
  for (const { files, commands } of readSections(page)) {
    await write(files);
    for (const command of commands) {
      if (command === 'npx dms-graphql-gateway') {
        url = await startCommand(directory);
      } else if (command.startsWith('curl ')) {
        const local = command.replace('http://127.0.0.1:4000', url!);
        outputs.push(await runWell(directory, 'sh', '-c', local.replace('curl ', 'curl -sS ')));
      } else {
        await run(command);
      }
    }
  }
  expect(outputs).toHaveLength(1);
  expect(page).toContain(`The answer is \`${outputs[0]}\`.`);
  const schema = await readFile(join(directory, 'schema.graphql'), 'utf8');
  expect(schema).toContain('riskScore: Float');
});
