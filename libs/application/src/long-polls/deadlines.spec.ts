import { Deadlines } from './deadlines.js';
import { WaitingRequest } from './waiting-request.js';

function requestUntil(deadline: number): WaitingRequest {
  return new WaitingRequest({ keyId: null, holder: 'h', deadline, signal: undefined });
}

describe('the deadlines of waiting requests', () => {
  it('are reported once, never early, and at most a tenth of a second late', () => {
    let now = 1_000;
    const reached: number[] = [];
    const deadlines = new Deadlines(
      (requests) => reached.push(...Array.from(requests, ({ deadline }) => deadline)),
      () => now,
    );
    const all = [1_001, 1_050, 1_200, 1_201, 9_999].map(requestUntil);
    for (const request of all) deadlines.add(request);
    const at = (time: number) => {
      now = time;
      reached.length = 0;
      deadlines.pass();
      return [...reached];
    };
    expect(at(1_000)).toEqual([]);
    expect(at(1_100)).toEqual([1_001, 1_050]);
    expect(at(1_199)).toEqual([]);
    expect(at(1_200)).toEqual([1_200]);
    expect(at(1_300)).toEqual([1_201]);
    for (const request of all) deadlines.delete(request);
    expect(at(20_000)).toEqual([]);
  });
});
