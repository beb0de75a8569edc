import { describe, expect, it, vi } from 'vitest';
import { fakeTimers } from '../../helpers/fake-timers.ts';
import { openRaw, queryBytes } from '../../helpers/raw-connection.ts';
import { documentA, pollOf, startLive } from './live-gateway.ts';

const subscription = queryBytes(
  `subscription { documentChanged(id: "${documentA}") { id } }`,
  'text/event-stream',
);

describe('the connection of a subscription', () => {
  it.each([
    ['bytes', 'SSH-2.0-OpenSSH_9.7\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n'],
    ['too many headers', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('ends without a second status after %s that are not HTTP', async (_what, bytes) => {
    const { gateway, clock } = await startLive();
    const client = await openRaw(gateway, subscription);
    await expect.poll(client.text).toContain('event: next');
    client.socket.write(bytes);
    await expect.poll(client.isClosed).toBe(true);
    expect(client.text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    await expect.poll(clock.waits).toEqual([]);
  });

  it('ends if another request waits longer than its time behind it', async () => {
    fakeTimers('performance', 'setTimeout');
    const { gateway, clock, requests } = await startLive({ server: { requestTimeoutMs: 300 } });
    const client = await openRaw(gateway, subscription + queryBytes('{ __typename }'));
    await expect.poll(client.text).toContain('event: next');
    await expect.poll(() => gateway.metrics.text()).toContain('gateway_requests_in_flight 2\n');
    vi.advanceTimersByTime(300);
    await expect.poll(client.isClosed).toBe(true);
    expect(client.text()).not.toContain('Query');
    expect(requests).toEqual([pollOf(documentA)]);
    await expect.poll(clock.waits).toEqual([]);
  });
});
