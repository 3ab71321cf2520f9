import fc from 'fast-check';

import { countBytes, fit } from './budget.js';
import { fenced } from './quoting.js';

describe('fitting a text into a budget', () => {
  it('shows the longest beginning whose rendering is within it, or nothing', async () => {
    const text = fc.array(fc.constantFrom('a', '`', '\n', 'ü'), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(80), async (units, tokens) => {
        const render = (size: number) => fenced(units.slice(0, size).join(''));
        const found = await fit({ size: units.length, render }, tokens, countBytes);
        expect(countBytes(found.text)).toBeLessThanOrEqual(tokens);
        if (found.text !== '') expect(found.text).toBe(render(found.taken));
        if (countBytes(render(units.length)) <= tokens) expect(found.taken).toBe(units.length);
      }),
    );
  });

  it('counts no text that is too long for any tokenizer', async () => {
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
