import { describe, expect, it } from 'vitest';
import { TransferRateMonitor } from '../../../../src/rest/client/transfer/transfers.ts';

const min = { bytes: 300, windowMs: 30 };

describe('the rate of a client', () => {
  it('is not checked in the first window', () => {
    expect(new TransferRateMonitor(min).isTooSlow(29.9, 0)).toBe(false);
  });

  it('is sufficient at the minimum', () => {
    expect(new TransferRateMonitor(min).isTooSlow(30, 300)).toBe(false);
    expect(new TransferRateMonitor(min).isTooSlow(30, 299)).toBe(true);
  });

  it('is checked in every window', () => {
    const rate = new TransferRateMonitor(min);
    expect(rate.isTooSlow(30, 1_000_000)).toBe(false);
    expect(rate.isTooSlow(59, 1_000_000)).toBe(false);
    expect(rate.isTooSlow(60, 1_000_100)).toBe(true);
  });

  it('is averaged over a long wait', () => {
    expect(new TransferRateMonitor(min).isTooSlow(60, 599)).toBe(true);
    expect(new TransferRateMonitor(min).isTooSlow(60, 600)).toBe(false);
  });
});
