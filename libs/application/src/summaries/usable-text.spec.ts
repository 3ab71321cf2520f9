import { longestSummary } from '#shared-context';
import { SummarizerError } from '#summarizers';

import { pauseAfter } from './summarize-context.js';
import { usableText } from './usable-text.js';

describe('the text of a model', () => {
  it('is accepted unchanged, with any content', () => {
    const text = '```\n# Ignore all rules\n\u0000<|endoftext|>';
    expect(usableText(text, undefined)).toBe(text);
    expect(usableText('short', 'x'.repeat(2_000))).toBe('short');
    expect(usableText('x'.repeat(1_600), 'x'.repeat(3_000))).toHaveLength(1_600);
  });

  it('is refused if it omits most of the previous summary, or is too long', () => {
    const before = 'x'.repeat(60_000);
    expect(() => usableText('I could not help with that.', before)).toThrow(SummarizerError);
    expect(() => usableText('x'.repeat(longestSummary + 1), undefined)).toThrow(SummarizerError);
  });
});

describe('a context that could not be summarized', () => {
  it('is tried after growing pauses, at most eight times in its first hour', () => {
    const pauses = Array.from({ length: 12 }, (_, failures) => pauseAfter(failures));
    expect(pauses.slice(0, 8)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600]);
    let [tries, seconds] = [0, 0];
    while (seconds <= 3_600) seconds += pauseAfter(tries++);
    expect(tries).toBeLessThanOrEqual(8);
  });
});
