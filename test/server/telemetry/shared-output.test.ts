import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../helpers/temporary-directory.ts';

const linesOfEach = 500;

it('of several processes consists of whole lines, also if its reader is slow', async () => {
  const folder = temporaryDirectory();
  const entry = join(folder, 'writer.mjs');
  writeFileSync(
    entry,
    `import { fork } from 'node:child_process';
    import { openStandardOutput, sharedBlocks } from ${JSON.stringify(resolve('src/server/telemetry/log.ts'))};
    if (process.send === undefined) {
      for (let n = 0; n < 3; n += 1) fork(process.argv[1], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    } else {
      const output = await openStandardOutput(sharedBlocks);
      for (let n = 0; n < ${linesOfEach}; n += 1) {
        output.write(JSON.stringify({ n, text: 'x'.repeat((n * 37) % 500) }) + '\\n');
        if (n % 20 === 0) await new Promise(setImmediate);
      }
      await output.drained();
      process.disconnect();
    }`,
  );
  // Between Node processes there would be a socket, which has other rules than a pipe.
  const child = spawn('sh', ['-c', '"$0" "$1" | dd bs=1000 status=none', process.execPath, entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    await sleep(1); // the pipe is full while this process does not read
  }
  const lines = text.split('\n').slice(0, -1);
  expect(lines).toHaveLength(3 * linesOfEach);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});
