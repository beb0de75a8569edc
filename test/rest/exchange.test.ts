import { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { Cancel } from '../../src/rest/cancel.ts';
import { RestError } from '../../src/rest/errors.ts';
import { exchange } from '../../src/rest/exchange.ts';
import { openStream } from '../../src/rest/stream.ts';
import { minTransferRate } from '../../src/rest/transfer-rate.ts';

/** Connections that never come free, until the test lets a request start. */
class StuckDispatcher extends Dispatcher {
  handler: Dispatcher.DispatchHandler | undefined;
  abortedWith: Error | undefined;

  override dispatch(
    _options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.handler = handler;
    return true;
  }

  letStart(): void {
    this.handler?.onRequestStart?.(
      {
        aborted: false,
        paused: false,
        reason: null,
        abort: (reason) => {
          this.abortedWith = reason;
        },
        pause() {},
        resume() {},
      },
      null,
    );
  }
}

const outgoing = {
  origin: 'http://dms.test',
  method: 'GET',
  path: '/',
  headers: [] as string[],
} as const;

describe.each([
  [
    'an exchange',
    (dispatcher: Dispatcher, timeoutMs: number, cancel: Cancel): Promise<unknown> =>
      exchange(dispatcher, outgoing, { timeoutMs, maxBytes: 10, cancel }),
  ],
  [
    'a stream',
    (dispatcher: Dispatcher, headMs: number, cancel: Cancel): Promise<unknown> =>
      openStream(dispatcher, outgoing, {
        headMs,
        idleMs: headMs,
        minRate: minTransferRate,
        cancel,
        explain: (fault) => fault,
        onBytes: () => {},
      }),
  ],
])('%s that still waits for a connection', (_what, send) => {
  it('ends at once when cancelled, and is never sent afterwards', async () => {
    const dispatcher = new StuckDispatcher();
    const cancel = new Cancel();
    const sent = send(dispatcher, 60_000, cancel);
    cancel.cancel(new RestError('CANCELLED', 'GET /'));
    await expect(sent).rejects.toMatchObject({ kind: 'cancelled', sent: false });
    dispatcher.letStart();
    expect(dispatcher.abortedWith).toBeInstanceOf(Error);
  });

  it('ends at its time limit, and is never sent afterwards', async () => {
    const dispatcher = new StuckDispatcher();
    const sent = send(dispatcher, 10, new Cancel());
    await expect(sent).rejects.toMatchObject({ kind: 'timeout', sent: false });
    dispatcher.letStart();
    expect(dispatcher.abortedWith).toBeInstanceOf(Error);
  });
});
