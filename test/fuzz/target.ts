import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { collectOutput } from '../helpers/child-output.ts';
import { openFailingDms, type FailingDms } from '../helpers/failing-dms.ts';
import type { Report } from './watch.ts';

/** A gateway in a process of its own, with a DMS that accepts every document and stores none. */
export interface Target {
  readonly url: string;
  /**
   * @throws {Error} if the process has ended, has changed shared objects, has held the event loop for too long or does not
   * serve another caller
   */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Twice the 200 ms that the gateway promises, because processor time is not exact on a virtual machine. A batch of this
 * test takes 10 to 50 ms, and what grows faster than a request takes far more.
 */
const maxTurnMs = 400;

export async function startTarget(): Promise<Target> {
  const dms = await openFailingDms((request, response) => {
    const isWrite = request.method === 'POST';
    request.resume();
    request.on('error', () => {}); // the client has aborted the upload
    request.on('end', () => {
      response.writeHead(isWrite ? 201 : 404, { 'content-type': 'application/json' });
      response.end(isWrite ? '{"_id":"65f000005eed00d0000000bf","filesList":[]}' : '{}');
    });
  });
  const child = spawn(
    process.execPath,
    ['--import', new URL('./watch.ts', import.meta.url).href, 'src/start.mjs'],
    {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        LOG_LEVEL: 'error',
        DMS_URL: dms.url,
        IDENTITY: 'passthrough',
        REQUEST_TIMEOUT_MS: '5000',
        DMS_TIMEOUT_MS: '5000',
        MAX_BODY_BYTES: '20000',
        MAX_UPLOAD_BYTES: '20000',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const output = collectOutput(child);
  const url = await addressIn(child, output);

  let isStarted = false; // modules are loaded before
  const check = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The gateway ended: ${output().slice(-2000)}`);
    }
    const answered = once(child, 'message');
    child.send('check');
    const [report] = (await answered) as [Report];
    if (!report.isUnchanged) throw new Error('The gateway has changed shared objects.');
    if (isStarted && report.longestTurnMs > maxTurnMs) {
      throw new Error(`The gateway held the event loop for ${report.longestTurnMs} ms.`);
    }
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer another' },
      body: '{"query":"{ __typename }"}',
    });
    const body = await response.text();
    if (body !== '{"data":{"__typename":"Query"}}') throw new Error(`Another caller got ${body}`);
  };
  const target: Target = { url, check, stop: () => stop(child, dms) };
  await target.check(); // records the initial state
  await target.check();
  isStarted = true;
  return target;
}

async function addressIn(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const [, url] = /"GraphQL gateway":"([^"]+)\/graphql"/.exec(output()) ?? [];
    if (url !== undefined) return url;
    if (child.exitCode !== null) throw new Error(`The gateway did not start: ${output()}`);
    await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
  }
}

async function stop(child: ChildProcess, dms: FailingDms): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await dms[Symbol.asyncDispose]();
}
