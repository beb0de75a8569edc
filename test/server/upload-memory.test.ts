import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addressOf, spawnGateway } from '../helpers/process.ts';
import { createDocumentParts, multipart, multipartHeaders } from '../helpers/upload.ts';

const mebibyte = 2 ** 20;

/** A DMS that takes whatever comes and counts it. */
async function startSink() {
  let received = 0;
  const server = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    req.on('end', () => {
      res.writeHead(201, { 'content-type': 'application/json' });
      res.end('{"_id":"65f000005eed00d0000000bf","filesList":[]}');
    });
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, received: () => received };
}

/** Sends a file of this many MiB, without ever holding more than one of them. */
async function upload(url: string, size: number): Promise<string> {
  const whole = multipart(createDocumentParts([{ filename: 'big.bin', body: '' }], { form: 'f' }));
  const at = whole.indexOf('\r\n\r\n', whole.indexOf('big.bin')) + 4;
  const chunk = Buffer.alloc(mebibyte);
  const req = request(`${url}/graphql`, { method: 'POST', headers: multipartHeaders });
  const answer = new Promise<string>((resolve, reject) => {
    req.on('error', reject);
    req.on('response', (res) => {
      let body = '';
      res.on('data', (part) => {
        body += String(part);
      });
      res.on('end', () => resolve(body));
    });
  });
  const bytes = function* (): Generator<Buffer> {
    yield whole.subarray(0, at);
    for (let i = 0; i < size; i += 1) yield chunk;
    yield whole.subarray(at);
  };
  await pipeline(bytes(), req);
  return answer;
}

/** The most memory that a process ever had, in MiB. */
function peakOf(pid: number | undefined): number {
  const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

describe.runIf(process.platform === 'linux')('the memory of a gateway', () => {
  it('does not grow with the size of a file, nor without bound with their number', async () => {
    const dms = await startSink();
    const gateway = spawnGateway({ DMS_URL: dms.url, IDENTITY: 'passthrough' });
    const url = await addressOf(gateway);
    // The first files also load code and fill pools, and the collector finds its pace.
    for (let i = 0; i < 3; i += 1) expect(await upload(url, 64)).toContain('CreateDocumentPayload');
    const small = peakOf(gateway.child.pid);
    expect(await upload(url, 1023)).toContain('CreateDocumentPayload');
    const large = peakOf(gateway.child.pid);
    expect(dms.received()).toBeGreaterThan((3 * 64 + 1023) * mebibyte);
    expect(large - small).toBeLessThan(32);

    const answers = await Promise.all(Array.from({ length: 16 }, () => upload(url, 32)));
    expect(answers.filter((text) => text.includes('CreateDocumentPayload'))).toHaveLength(16);
    expect(peakOf(gateway.child.pid) - large).toBeLessThan(96);
  }, 120_000);
});
