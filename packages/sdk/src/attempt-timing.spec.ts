import { heartbeatDelayMs, heartbeatTimeoutMs, leadOf } from './attempt-timing.js';

describe('the end of an attempt', () => {
  it('begins a tenth of its time before the deadline, with a second for the report', () => {
    expect(leadOf(30_000)).toEqual({ leadMs: 3_000, graceMs: 2_000 });
    expect(leadOf(60_000)).toEqual({ leadMs: 6_000, graceMs: 5_000 });
    expect(leadOf(3_600_000)).toEqual({ leadMs: 6_000, graceMs: 5_000 });
  });

  it('leaves short attempts three quarters of their time', () => {
    expect(leadOf(4_000)).toEqual({ leadMs: 1_000, graceMs: 500 });
    expect(leadOf(200)).toEqual({ leadMs: 50, graceMs: 25 });
    expect(leadOf(-1)).toEqual({ leadMs: 0, graceMs: 0 });
  });
});

describe('heartbeats', () => {
  it.each([
    ['every five seconds if there is time', 30_000, 5_000],
    ['after a third of the rest of a short lease', 900, 300],
    ['after a tenth of a second at least', 12, 100],
    ['after a tenth of a second if the lease may have ended', -4_000, 100],
  ])('are sent %s', (_, leftMs, delayMs) => {
    expect(heartbeatDelayMs(leftMs)).toBe(delayMs);
  });

  it.each([
    ['ten seconds', 60_000, 10_000],
    ['a third of a lease', 900, 300],
    ['a tenth of a second at least', 12, 100],
  ])('have a timeout of %s', (_, leaseMs, timeoutMs) => {
    expect(heartbeatTimeoutMs(leaseMs)).toBe(timeoutMs);
  });
});
