import fc from 'fast-check';

import { linesOf } from './lines.js';

describe('linesOf', () => {
  it('returns the same lines for all chunk boundaries', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\u2028', '\n') });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (whole, size) => {
        const expected = whole.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(await Array.fromAsync(linesOf(chunksOf(whole, size)))).toEqual(expected);
      }),
    );
  });

  it('refuses an endless line', async () => {
    const endless = chunksOf('x'.repeat(16 * 1_048_576 + 1), 1_048_576);
    await expect(Array.fromAsync(linesOf(endless))).rejects.toThrow(
      'a line of the input is too long',
    );
  });
});

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
