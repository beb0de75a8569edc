import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as sendRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { floods } from '../../../bench/pressure/floods.ts';
import { startNginx } from '../../../bench/pressure/nginx.ts';
import { startFailingDms, wholeBody, type Behaviour } from '../../helpers/failing-dms.ts';
import { freePort } from '../../helpers/free-port.ts';
import {
  createDocumentParts,
  multipart,
  multipartHeaders,
} from '../../helpers/multipart-request.ts';
import { addressOf, spawnGateway } from '../../helpers/process.ts';

const person = '{ person(id: "usr-ann") { email } }';
const json = { 'content-type': 'application/json', authorization: 'Bearer ann' };

const ask = (url: string, query: string, headers = {}): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ query }),
  });

async function startProxy(gateway: string): Promise<string> {
  const { url, stop } = await startNginx(gateway, await freePort());
  onTestFinished(stop);
  return url;
}

/** A server in place of the gateway. */
async function startBefore(behave: Behaviour) {
  const server = await startFailingDms(behave);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, url: await startProxy(server.url) };
}

const fileBytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, n) => n % 251));
const largeText = 'x'.repeat(5_000_000);

/** The gateway behind nginx, and a DMS that holds the responses of some requests. */
async function startGateway(settings: Readonly<Record<string, string>> = {}, hold = /^$/) {
  const held: ServerResponse[] = [];
  let uploaded = 0;
  let revision = 0;
  const dms = await startFailingDms((request, response) => {
    const { url = '', method, headers } = request;
    if (hold.test(`${method} ${url}`)) held.push(response);
    else if (url.includes('/file/')) sendFile(headers, response);
    else if (url.includes('/form/')) {
      request.on('data', (chunk: Buffer) => (uploaded += chunk.length));
      request.once('end', () => {
        response.writeHead(201).end(`{"_id":"${'a'.repeat(24)}"}`);
      });
    } else {
      const values = url.includes('DOC-LARGE') ? { valuesByTags: { text: largeText } } : {};
      const document = { _id: 'a'.repeat(24), _id_web: 'DOC-1', author: 'usr-ann', ...values };
      const changing = { _meta: { _rev: (revision += 1) }, _id_sys: 'usr-ann', email: 'x' };
      response.end(JSON.stringify({ ...document, ...changing }));
    }
  });
  onTestFinished(() => dms[Symbol.asyncDispose]());
  const gateway = spawnGateway({
    DMS_URL: dms.url,
    CACHE_TTL_MS: '0',
    LOG_LEVEL: 'error',
    ...settings,
  });
  const direct = await addressOf(gateway);
  return {
    dms,
    gateway,
    direct,
    held,
    url: await startProxy(direct),
    uploaded: () => uploaded,
  };
}

function sendFile({ range }: IncomingHttpHeaders, response: ServerResponse): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const headers = { 'accept-ranges': 'bytes', etag: '"v1"', 'content-type': 'application/json' };
  if (from === undefined) {
    response.writeHead(200, { ...headers, 'content-length': fileBytes.length }).end(fileBytes);
    return;
  }
  const part = fileBytes.subarray(Number(from), Number(to) + 1);
  const contentRange = `bytes ${from}-${to}/${fileBytes.length}`;
  response.writeHead(206, {
    ...headers,
    'content-range': contentRange,
    'content-length': part.length,
  });
  response.end(part);
}

/** The resident memory of a process, now or at most, in MiB. */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )!;
  return Number(kib) / 1024;
}

/** Reads a response that does not end, until it matches. */
function readerOf({ body }: Response) {
  const reader = body!.getReader();
  onTestFinished(() => reader.cancel());
  let text = '';
  const readUntil = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(text)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the response ended: ${text}`);
      text += Buffer.from(value).toString();
    }
    return text;
  };
  return { readUntil };
}

/** The status of a query from another address than that of the floods. */
function probe(url: string): Promise<number> {
  const body = JSON.stringify({ query: person });
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: json, localAddress: '127.0.0.2', agent: false };
    sendRequest(`${url}/graphql`, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end(body);
  });
}

async function metric(url: string, pattern: RegExp): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}
const requestsOf = (url: string) =>
  metric(url, /^gateway_requests_total\{type="(?:query|mutation|invalid|rejected)[^\n]* (\d+)$/gm);

/** Of these, the gateway learns nothing. */
const neverArrives = /^(?!uploads).*without/;

/** Starts a process that sends a flood: the client of this process must not be late. Resolves when it was sent. */
async function send(index: number, url: string): Promise<() => void> {
  const load = fork(new URL('../../../bench/pressure/load.ts', import.meta.url), {
    execArgv: [],
  });
  const stop = (): void => void load.kill('SIGKILL');
  onTestFinished(stop);
  load.send({ index, url, ms: 0 });
  await once(load, 'message');
  return stop;
}

/** Sends a flood, and queries of another client until it was sent and 20 of them were answered. */
async function withstand(index: number) {
  const { url, direct, gateway } = await startGateway();
  const pid = gateway.child.pid!;
  const statuses = new Set<number>();
  for (let time = 0; time < 5; time += 1) statuses.add(await probe(url));
  const [requests, memory, start] = [await requestsOf(direct), memoryOf(pid, 'VmRSS'), Date.now()];
  const sending = send(index, url);
  const state = { isSent: false };
  void sending.then(() => (state.isSent = true));
  let probes = 0;
  for (; !state.isSent || probes < 20; probes += 1) statuses.add(await probe(url));
  const reached = (await requestsOf(direct)) - requests - probes;
  const allowed = 600 + (100 * (Date.now() - start)) / 1000;
  const growthMiB = memoryOf(pid, 'VmHWM') - memory;
  (await sending)();
  await expect.poll(() => metric(direct, /^gateway_requests_in_flight (\d+)$/gm)).toBeLessThan(2);
  return { statuses: [...statuses], reached, allowed, growthMiB, exitCode: gateway.child.exitCode };
}

describe('behind deploy/nginx.conf', () => {
  it.each(
    floods.map(({ title, connections }, index) => ({
      index,
      title,
      name: `${connections} × ${title}`,
    })),
  )(
    'the gateway does not notice $name',
    { tags: ['nightly'], timeout: 300_000 },
    async ({ index, title }) => {
      const { allowed, ...outcome } = await withstand(index);
      expect(outcome).toMatchObject({ statuses: [200], exitCode: null });
      expect(outcome.reached).toBeLessThan(neverArrives.test(title) ? 1 : allowed);
      expect(outcome.growthMiB).toBeLessThan(300);
    },
  );

  it('a client that sends too much is told so', async () => {
    const { url } = await startBefore((_request, response) => response.end('{}'));
    const answers = await Promise.all(Array.from({ length: 600 }, () => ask(url, person)));
    const rejected = answers.find(({ status }) => status === 429)!;
    expect(rejected.headers.get('retry-after')).toBe('1');
    expect(await rejected.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryable: true } }],
    });
    expect(await probe(url)).toBe(200);
  });

  it('the gateway gets the address and the host of the client', async () => {
    const { url } = await startBefore((request, response) => {
      response.end(JSON.stringify({ ...request.headers, url: request.url }));
    });
    const path = '/files/documents/a%2Fb/f?t=1.2';
    const spoofed = {
      'x-forwarded-for': '192.0.2.1',
      'x-real-ip': '192.0.2.1',
      'x-cost-only': '1',
    };
    const seen = await (await fetch(url + path, { headers: spoofed })).json();
    expect(seen).toMatchObject({
      url: path,
      host: new URL(url).host,
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-cost-only': '1',
    });
  });

  it.each([
    '/metrics',
    '/healthz',
    '/readyz',
    '//metrics',
    '/%6detrics',
    '/x/../readyz',
    '/healthz/',
  ])('%s is hidden', async (path) => {
    const { url, server } = await startBefore((_request, response) => response.end());
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(url);
      sendRequest({ port, path }, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end();
    });
    expect(status).toBe(404);
    expect(server.requests).toEqual([]);
  });

  it.each(['GET', 'POST'])('a %s that fails is not sent again', async (method) => {
    const { url, server } = await startBefore((request) => request.socket.destroy());
    const response = await fetch(`${url}/graphql`, { method, headers: json });
    expect(response.status).toBe(502);
    expect(server.requests).toHaveLength(1);
  });

  it('a JSON body arrives as a whole, and one that is too large not at all', async () => {
    const bodies: string[] = [];
    const { url, server } = await startBefore((request, response) => {
      const answer = async (): Promise<void> => {
        bodies.push(await wholeBody(request));
        response.end('{}');
      };
      void answer();
    });
    const sent = sendRequest(`${url}/graphql`, { method: 'POST', headers: json });
    const answered = new Promise((resolve) => {
      sent.once('response', resolve);
    });
    sent.write('{"query":');
    expect((await fetch(`${url}/other`)).status).toBe(200);
    expect(server.requests).toEqual(['GET /other']);
    sent.end('"{a}"}');
    await answered;
    expect(bodies.at(-1)).toBe('{"query":"{a}"}');

    const large = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: json,
      body: 'x'.repeat(2 ** 20 + 1),
    });
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
    ]);
    expect(server.requests).toHaveLength(2);
  });

  it('an upload of 200 MiB takes no memory', { tags: ['nightly'], timeout: 180_000 }, async () => {
    const { url, gateway, uploaded } = await startGateway();
    const pid = gateway.child.pid!;
    const upload = async (mib: number): Promise<unknown> => {
      const text = multipart(createDocumentParts([{ filename: 'a.bin', body: 'FILE' }])).toString(
        'latin1',
      );
      const [before = '', after = ''] = text.split('FILE');
      const megabyte = Buffer.alloc(2 ** 20, 'x');
      const body = async function* () {
        yield Buffer.from(before);
        for (let n = 0; n < mib; n += 1) yield megabyte;
        yield Buffer.from(after);
      };
      const init = {
        method: 'POST',
        headers: { ...multipartHeaders, authorization: json.authorization },
      };
      const response = await fetch(`${url}/graphql`, {
        ...init,
        body: body() as unknown as ReadableStream,
        duplex: 'half',
      } as RequestInit);
      return response.json();
    };
    const created = { data: { createDocument: { __typename: 'CreateDocumentPayload' } } };
    expect(await upload(20)).toMatchObject(created);
    const memory = memoryOf(pid, 'VmHWM');
    expect(await upload(200)).toMatchObject(created);
    expect(uploaded()).toBeGreaterThan(220 * 2 ** 20);
    expect(memoryOf(pid, 'VmHWM') - memory).toBeLessThan(100);
  });

  it('an upload that is rejected early gets its answer', async () => {
    const { url, uploaded } = await startGateway({ MAX_UPLOAD_FILES: '1' });
    const files = ['a', 'b'].map((filename) => ({ filename, body: Buffer.alloc(4_000_000) }));
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...multipartHeaders, authorization: json.authorization },
      body: new Uint8Array(multipart(createDocumentParts(files))),
    });
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
    ]);
    expect(uploaded()).toBe(0);
  });

  it('a file is streamed, also in ranges', async () => {
    const { url } = await startGateway();
    const path = `${url}/files/documents/d/f`;
    const headers = { authorization: json.authorization, 'accept-encoding': 'gzip' };
    const whole = await fetch(path, { headers });
    expect(whole.headers.get('content-length')).toBe(String(fileBytes.length));
    expect(whole.headers.get('etag')).toBe('"v1"');
    expect(Buffer.from(await whole.arrayBuffer()).equals(fileBytes)).toBe(true);
    const part = await fetch(path, { headers: { ...headers, range: 'bytes=100-2000099' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      'bytes 100-2000099/3000000',
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(fileBytes.subarray(100, 2_000_100))).toBe(
      true,
    );
    const replaced = await fetch(path, { headers: { ...headers, 'if-match': '"v0"' } });
    expect(replaced.status).toBe(412);
  });

  it('the events of a subscription arrive at once', async () => {
    const { url } = await startGateway({ LIVE_POLL_MS: '1000' });
    const subscription = 'subscription { documentChanged(id: "DOC-1") { meta { revision } } }';
    const response = await ask(url, subscription, { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const { readUntil } = readerOf(response);
    await readUntil(/"revision":\d+[^]*"revision":\d+/);
  });

  it('the first part of a result arrives before the deferred one', async () => {
    const { url, held } = await startGateway({}, /person/);
    const query =
      '{ document(id: "DOC-1") { shortId ... @defer { author { ... on Person { email } } } } }';
    const response = await ask(url, query, { accept: 'multipart/mixed' });
    const { readUntil } = readerOf(response);
    expect(await readUntil(/"shortId":"DOC-1"/)).not.toContain('email');
    await expect.poll(() => held).toHaveLength(1);
    held[0]!.end('{"_id_sys":"usr-ann","email":"ann@example.com"}');
    await readUntil(/ann@example\.com/);
  });

  it('a gateway that stops answers what it has received', async () => {
    const { url, gateway, held } = await startGateway({}, /person/);
    const answer = ask(url, person);
    await expect.poll(() => held).toHaveLength(1);
    gateway.child.kill('SIGTERM');
    await expect.poll(() => fetch(url).then(({ status }) => status)).toBe(502);
    held[0]!.end('{"_id_sys":"usr-ann","email":"x"}');
    expect(await (await answer).json()).toEqual({ data: { person: { email: 'x' } } });
    expect(await gateway.exited).toBe(0);
  });
});
