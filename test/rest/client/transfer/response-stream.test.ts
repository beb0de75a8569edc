import type { Readable } from 'node:stream';
import { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { openStream } from '../../../../src/rest/client/transfer/response-stream.ts';
import { minTransferRate } from '../../../../src/rest/client/transfer/transfers.ts';
import { fakeTimers } from '../../../helpers/fake-timers.ts';
import { Semaphore } from '../../../../src/rest/client/limits/semaphore.ts';

const decoders = { semaphore: new Semaphore({ capacity: 8 }), key: 'ann' };

const idleMs = 1000;

/** A response whose head has arrived and whose chunks the test sends, on a clock that the test advances. */
async function startResponse() {
  fakeTimers('performance', 'setTimeout');
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort() {},
    pause() {},
    resume() {},
  };
  let handler: Dispatcher.DispatchHandler = {};
  class ManualDispatcher extends Dispatcher {
    override dispatch(
      _options: Dispatcher.DispatchOptions,
      given: Dispatcher.DispatchHandler,
    ): boolean {
      handler = given;
      return true;
    }
  }
  const opened = openStream(
    new ManualDispatcher(),
    { origin: 'http://dms.test', method: 'GET', path: '/', headers: [] },
    {
      headMs: idleMs,
      idleMs,
      acceptedCodings: [],
      minRate: { ...minTransferRate, bytes: 1 },
      signal: new AbortController().signal,
      decoders,
      toRestError: (error) => error,
      onBytes() {},
    },
  );
  handler.onRequestStart?.(controller, null);
  handler.onResponseStart?.(controller, 200, {}, 'OK');
  const { body } = await opened;
  return {
    body,
    send: (chunk: string) => handler.onResponseData?.(controller, Buffer.from(chunk)),
    end: () => handler.onResponseEnd?.(controller, {}),
  };
}

async function textOf(body: Readable): Promise<string> {
  let text = '';
  for await (const chunk of body) text += String(chunk);
  return text;
}

describe('a streamed response', () => {
  it('keeps the order of small and large chunks', async () => {
    const { body, send, end } = await startResponse();
    const large = 'x'.repeat(5000);
    const text = textOf(body);
    for (const chunk of ['a', 'b', large, 'c', large, 'd']) send(chunk);
    end();
    expect(await text).toBe(`ab${large}c${large}d`);
  });
});
