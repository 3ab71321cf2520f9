import fc from 'fast-check';

import { portionsOf } from './portions.js';

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const portions = (text: string, maxBytes: number, size = 5) =>
  Array.fromAsync(portionsOf(chunksOf(text, size), 'run.jsonl', maxBytes));

describe('portionsOf', () => {
  it('divides a file at line ends, and numbers the lines', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', '\u2028'), maxLength: 4 });
    const lines = fc.array(line, { maxLength: 40 });
    const sizes = fc.record({
      maxBytes: fc.integer({ min: 17, max: 40 }),
      size: fc.integer({ min: 1, max: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(lines, sizes, async (all, { maxBytes, size }) => {
        const text = all.join('\n');
        const found = await portions(text, maxBytes, size);
        expect(found.map((portion) => portion.text).join('')).toBe(text);
        let firstLine = 1;
        for (const portion of found) {
          expect(portion.firstLine).toBe(firstLine);
          expect(portion.bytes).toBeLessThanOrEqual(maxBytes);
          firstLine += portion.text.split('\n').length - 1;
        }
      }),
    );
  });

  it('reports the number of a line that is too long', async () => {
    await expect(portions(`{}\n{}\n${'x'.repeat(20)}\n`, 8)).rejects.toThrow('run.jsonl:3: ');
  });

  it('refuses bytes that are not UTF-8, and keeps a byte-order mark', async () => {
    const bytes = (async function* () {
      yield Buffer.from([0x61, 0xff]);
    })();
    await expect(Array.fromAsync(portionsOf(bytes, 'run.jsonl'))).rejects.toThrow('UTF-8');
    expect(await portions('\u{FEFF}a', 8)).toMatchObject([{ text: '\u{FEFF}a' }]);
  });
});
