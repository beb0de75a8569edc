/** @module-tag nightly */
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFailingDms } from '../../helpers/failing-dms.ts';
import { addressOf } from '../../helpers/process.ts';
import { interrupt, spawnInTerminal } from './terminal.ts';

/** What a DMS or a client could send to a terminal: 7-bit and 8-bit escape sequences, and an override of the direction. */
const hostile = '\u001B]0;owned\u0007\u001B[2J\u009B31m\u202E';

const ask = (url: string, query: string, operationName?: string): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, operationName }),
  });

/** Starts a DMS whose error messages contain escape sequences. */
async function startHostileDms() {
  const dms = await startFailingDms((request, response) => {
    if (request.url?.includes('/file/')) {
      response.writeHead(500, { 'x-error': '\u009B2J8-bit', 'content-type': 'text/\u009B31m' });
      response.end(hostile);
      return;
    }
    const isGood = request.url?.includes('usr-ann');
    response.writeHead(isGood ? 200 : 500, { 'x-error': encodeURIComponent(hostile) });
    response.end(isGood ? '{"_id_sys":"usr-ann","email":"x"}' : JSON.stringify({ error: hostile }));
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  return dms;
}

/** Sends a request with bytes that no HTTP client library would send. */
function sendRaw(url: string, head: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {}).on('close', () => resolve());
    socket.resume().end(Buffer.from(head, 'latin1'));
  });
}

/** Makes the clients and the DMS of a gateway send escape sequences. */
async function attack(url: string): Promise<void> {
  await ask(url, 'query Good { person(id: "usr-ann") { email } }');
  await ask(url, 'query Bad { person(id: "usr-bad") { email } }');
  await ask(url, `query ${hostile} { viewer { runAs } }`, hostile);
  await ask(url, `{ person(id: ${JSON.stringify(hostile)}) { email } }`);
  await fetch(`${url}/files/documents/d/${encodeURIComponent(hostile)}`);
  await fetch(`${url}/files/documents/d/f`);
  await sendRaw(
    url,
    `GET /files/documents/\u009B2J/\u001B[31m HTTP/1.1\r\nhost: localhost\r\nx-request-id: \u009B2J\r\n\r\n`,
  );
  await sendRaw(
    url,
    `GET /files/documents/d/f HTTP/1.1\r\nhost: localhost\r\nx-request-id: r\u009B2J\r\nrange: \u009B2J\r\nconnection: close\r\n\r\n`,
  );
}

/** The lines of the log: those after the message of the start, whose last line names the DMS. */
function logOf(lines: readonly string[]): readonly string[] {
  return lines.slice(lines.findIndex((line) => line.startsWith('DMS: ')) + 1);
}

describe('the log in a terminal', () => {
  it('is text without raw control characters, also of workers', async () => {
    const dms = await startHostileDms();
    const gateway = spawnInTerminal({
      DMS_URL: dms.url,
      DMS_RETRIES: '0',
      NO_COLOR: '1',
      WORKERS: '2',
    });
    const url = await addressOf(gateway);
    await attack(url);
    await expect.poll(gateway.output).toMatch(/query Bad: UPSTREAM_ERROR, 200/);
    await expect.poll(gateway.output).toMatch(/failure UPSTREAM_ERROR/);
    interrupt(gateway.child);
    expect(await gateway.exited).toBe(0);

    const lines = gateway.output().split('\r\n');
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: query Good: OK, 200, [\d.]+ ms, 1 call \(worker [12]\)$/,
      ),
    );
    expect(lines).toContainEqual(expect.stringMatching(/\] INFO: stopped$/));
    expect(lines.filter((line) => line.startsWith('{'))).toEqual([]);
    expect(lines.join('')).toContain('2J8-bit'); // the text of the DMS is in the log
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const start = lines.slice(0, lines.length - logOf(lines).length);
    expect(start.filter((line) => line.length > 100)).toEqual([]);
  });

  it('has colors, and reports a crash before the process ends', async () => {
    const dms = await startHostileDms();
    const gateway = spawnInTerminal({ DMS_URL: dms.url, NODE_OPTIONS: crash });
    expect(await gateway.exited).toBe(1);
    const [line = '', ...stack] = logOf(gateway.output().trimEnd().split('\r\n'));
    expect(line).toContain('\u001B[41mFATAL\u001B[49m');
    expect(stack[0]).toMatch(/^ {4}\S+stack\S+: Error: <U\+001B>\[31m$/);
    expect(stack[1]).toMatch(/^ {8}at /);
  });
});

/** A module that throws as soon as the gateway handles uncaught exceptions. */
const crash = `--import=data:text/javascript,${encodeURIComponent(
  `const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(timer);
    throw new Error('\\u001B[31m');
  }, 1);`,
)}`;
