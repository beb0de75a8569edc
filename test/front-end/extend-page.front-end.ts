import { spawn } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { addressOf } from '../helpers/process.ts';
import { cleanEnvironment, root, runWell } from '../package/run-program.ts';
import { readSections } from './page-section.ts';
import { createProject } from './project.ts';

const page = await readFile(join(root, 'docs/extend.md'), 'utf8');

/** Starts the gateway by a command of the page in a directory, on a free port. */
async function startCommand(directory: string, command: string) {
  const [npx = '', ...args] = command.split(' ');
  const child = spawn(npx, args, {
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
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM');
    await exited;
  };
  onTestFinished(stop);
  return { url: await addressOf({ child, exited, output: () => output }), stop };
}

it('leads from an empty folder to a field, its test, its types, its schema and permissions', async () => {
  const { directory, write, run } = await createProject();
  const tarball = inject('tarball');
  await copyFile(tarball, join(directory, basename(tarball)));
  const outputs: string[] = [];
  let gateway: Awaited<ReturnType<typeof startCommand>> | undefined;
  for (const { files, commands } of readSections(page)) {
    await write(files);
    for (const command of commands) {
      if (command.startsWith('npx dms-graphql-gateway')) {
        await gateway?.stop();
        gateway = await startCommand(directory, command);
      } else if (command.startsWith('curl ')) {
        const local = command.replace('http://127.0.0.1:4000', gateway!.url);
        outputs.push(await runWell(directory, 'sh', '-c', local.replace('curl ', 'curl -sS ')));
      } else {
        await run(command);
      }
    }
  }
  const [answer, refusal] = outputs;
  expect(outputs).toHaveLength(2);
  expect(page).toContain(`The answer is \`${answer}\`.`);
  expect(JSON.parse(refusal!)).toEqual({
    errors: [
      {
        message: 'Query.budget requires the role finance.',
        extensions: { code: 'FORBIDDEN', requestId: expect.any(String) },
      },
    ],
  });
  const schema = await readFile(join(directory, 'schema.graphql'), 'utf8');
  expect(schema).toContain('riskScore: Float');
});
