import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../../../../src/rest/client/http-client.ts';
import { Dms } from '../../../../src/rest/dms.ts';
import { startFailingDms } from '../../../helpers/failing-dms.ts';
import { untilUnchanged } from '../../../helpers/until-unchanged.ts';
import { testBudget, testCaller, testHttpOptions } from '../../../helpers/mock-dms.ts';

const content = Buffer.alloc(2_000_000, 'x');

/** A DMS with coded files, and the client of one of its users. */
async function startCoded(options: { readonly maxWaitMs?: number } = {}) {
  const dms = await startFailingDms((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content));
  });
  const http = new HttpClient({
    ...testHttpOptions,
    baseUrl: dms.url,
    fairShare: false,
    ...options,
  });
  onTestFinished(async () => {
    await http.close(0);
    await dms[Symbol.asyncDispose]();
  });
  const client = new AbortController();
  const open = () =>
    new Dms(http, testCaller(), testBudget({ signal: client.signal })).recognition.pdf('d1', {});
  return { open, leave: () => client.abort(), requests: dms.requests };
}

it('decodes eight files at a time, and the others when a place is free', async () => {
  const { open, requests } = await startCoded();
  const first = await Promise.all(Array.from({ length: 8 }, open));
  const ninth = open();
  await expect.poll(() => requests.length).toBe(9);
  let opened = 0;
  void ninth.then(() => (opened += 1));
  expect(await untilUnchanged(() => opened)).toBe(0);
  const [gone, ...others] = first;
  gone!.body.destroy();
  const files = await Promise.all([await ninth, ...others].map(({ body }) => buffer(body)));
  for (const file of files) expect(file.equals(content)).toBe(true);
});

it('refuses a file that waits too long for its place', async () => {
  const { open } = await startCoded({ maxWaitMs: 20 });
  await Promise.all(Array.from({ length: 8 }, open));
  await expect(open()).rejects.toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    retryAfterMs: 5000,
  });
});

it('gives up the place in the queue of a client that disconnects', async () => {
  const { open, leave, requests } = await startCoded();
  await Promise.all(Array.from({ length: 8 }, open));
  const ninth = open();
  await expect.poll(() => requests.length).toBe(9);
  leave();
  await expect(ninth).rejects.toMatchObject({ code: 'CANCELLED' });
});
