import { waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('resolves with the first value that meets the condition', async () => {
    let looks = 0;
    const look = async () => ++looks;
    expect(await waitFor('three looks', look, { until: (count) => count >= 3 })).toBe(3);
    expect(await waitFor('any look', look)).toBe(4);
  });

  it('reports the condition and the last value when the time has expired', async () => {
    const waiting = waitFor('the fork in the list', () => ['a'], {
      until: (names) => names.includes('fork'),
      timeoutMs: 50,
    });
    await expect(waiting).rejects.toThrow(
      "timed out after 0.05 s waiting for: the fork in the list; last value: [ 'a' ]",
    );
  });

  it('does not wait for a function that never returns', async () => {
    const never = new Promise<boolean>(() => {});
    await expect(waitFor('an answer', () => never, { timeoutMs: 50 })).rejects.toThrow(
      'timed out after 0.05 s waiting for: an answer; last value: none, as the first look did not end',
    );
  });

  it('throws the error that the function throws', async () => {
    const look = () => Promise.reject(new Error('refused'));
    await expect(waitFor('an answer', look)).rejects.toThrow('refused');
  });

  it('truncates a long last value', async () => {
    const look = () => 'x'.repeat(10_000);
    const waiting = waitFor('less', look, { until: () => false, timeoutMs: 50 });
    await expect(waiting).rejects.toThrow(/x{1999}…$/);
  });
});
