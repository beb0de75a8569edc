import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requests, sendRaw, type RawRequest } from './requests.ts';
import { startTarget, type Target } from './target.ts';

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 30);
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const batchSize = 20;

process.stdout.write(`FUZZ_SECONDS=${seconds} FUZZ_SEED=${seed}\n`);

describe('a gateway survives', () => {
  let running: Promise<Target> | null = null;
  beforeAll(async () => {
    running = startTarget();
    await running;
  });
  afterAll(async () => (await running)?.stop());

  const check = async (target: Target): Promise<void> => {
    try {
      await target.check();
    } catch (error) {
      // The next attempt, which shrinks the case, requires a healthy gateway.
      running = null;
      await target.stop();
      throw error;
    }
  };

  const names = Object.keys(requests);
  it.each(names)('%s', async (name) => {
    const batches = fc.array(requests[name]!, { minLength: 1, maxLength: batchSize, size: 'max' });
    let sent = 0;
    const statuses = new Map<number | null, number>();
    const sendBatch = async (batch: readonly RawRequest[]): Promise<void> => {
      const target = await (running ??= startTarget());
      const answers = await Promise.allSettled(
        batch.map((request) => sendRaw(target.url, request)),
      );
      await check(target);
      for (const [i, answer] of answers.entries()) {
        const request = batch[i]!;
        if (answer.status === 'rejected') throw failure(String(answer.reason), request);
        sent += 1;
        statuses.set(answer.value, (statuses.get(answer.value) ?? 0) + 1);
        if (answer.value === 500) throw failure('The gateway answered 500', request);
        // A response that is sent before the body is read can be lost with the connection, which these requests close.
        const mayBeSilent = request.isCut || request.body.length > 1000 || name === 'headers';
        if (answer.value === null && !mayBeSilent) throw failure('No answer came', request);
      }
    };
    let last = Promise.resolve();
    const property = fc.asyncProperty(batches, (batch) => (last = sendBatch(batch)));
    await fc.assert(property, {
      seed,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: (seconds * 1000) / names.length,
      markInterruptAsFailure: false,
    });
    await last; // an interrupt does not wait for it, and it needs the gateway
    const counts = [...statuses].map(([status, count]) => `${count} ${status ?? 'cut'}`);
    process.stdout.write(`${name}: ${sent} requests: ${counts.join(', ')}\n`);
    expect(sent).toBeGreaterThan(0);
  });
});

function failure(what: string, { head, body }: RawRequest): Error {
  return new Error(`${what} to ${JSON.stringify(head)} ${JSON.stringify(body.toString('latin1'))}`);
}
