import fc from 'fast-check';

import { countBytes, fit } from './budget.js';
import { fenced } from './quoting.js';

describe('fitting a text into a budget', () => {
  it('returns the longest beginning whose rendering fits, or nothing', async () => {
    const text = fc.array(fc.constantFrom('a', '`', '\n', 'ü'), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(80), async (units, tokens) => {
        const render = (size: number) => fenced(units.slice(0, size).join(''));
        const result = await fit({ size: units.length, render }, tokens, countBytes);
        expect(countBytes(result.text)).toBeLessThanOrEqual(tokens);
        if (result.text !== '') expect(result.text).toBe(render(result.taken));
        if (countBytes(render(units.length)) <= tokens) expect(result.taken).toBe(units.length);
      }),
    );
  });

  it('does not count a text that is too long for any tokenizer', async () => {
    let counted = 0;
    const count = (text: string) => {
      counted = Math.max(counted, text.length);
      return text.length / 4;
    };
    const text = 'word '.repeat(200_000);
    const render = (size: number) => text.slice(0, size);
    const { taken } = await fit({ size: text.length, render }, 1_000, count);
    expect(taken).toBe(4_000);
    expect(counted).toBeLessThan(20_000);
  });
});
