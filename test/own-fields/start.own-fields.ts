import { expect, it } from 'vitest';
import { spawnProgram } from '../helpers/process.ts';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';

it('prints the riskiest invoices, which cost one request, and ends both servers on a signal', async () => {
  const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: temporaryDirectory() };
  const example = spawnProgram(process.execPath, ['examples/own-fields/start.ts'], {
    env,
    detached: true, // to end both servers if the test fails
  });
  await expect.poll(example.output).toMatch(/^Gateway: http:\/\/127\.0\.0\.1:\d+\/graphql$/m);
  expect(example.output()).toMatch(
    /^The risk service was asked for 20 documents at once\.\nDOC-\d+: 0\.9 \(large total, no author\)\n/,
  );
  example.child.kill('SIGTERM');
  expect(await example.exited).toBe(0); // its output ends with its gateway
});
