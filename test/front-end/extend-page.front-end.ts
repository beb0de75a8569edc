import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { addressOf, spawnProgram } from '../helpers/process.ts';
import { cleanEnvironment, root, runWell } from '../package/run-program.ts';
import { readSections } from './page-section.ts';
import { createProject } from './project.ts';

const page = await readFile(join(root, 'docs/extend.md'), 'utf8');

/** Starts the gateway by a command of the page in a directory, on a free port. */
async function startCommand(directory: string, command: string) {
  const [npx = '', ...args] = command.split(' ');
  const started = spawnProgram(npx, args, {
    cwd: directory,
    env: { ...cleanEnvironment(directory), PORT: '0' },
    detached: true, // npx starts the gateway as a process of its own
  });
  const stop = async (): Promise<void> => {
    process.kill(-started.child.pid!, 'SIGTERM');
    await started.exited;
  };
  return { url: await addressOf(started), stop };
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
