import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { UnsentPieces } from './unsent-pieces.js';

const pieces = Array.from({ length: 10 }, (_, n) => Buffer.alloc(100_000, n));
const fullText = Buffer.concat(pieces);

describe('the pieces of a long text', () => {
  it('reach the reader completely and in order, and are all released', async () => {
    const unsent = new UnsentPieces(fullText.length);
    expect((await buffer(unsent.open(pieces))).equals(fullText)).toBe(true);
    expect(unsent.bytes).toBe(0);
  });

  it('are released as they are read, and all at once if the reader disconnects', async () => {
    const unsent = new UnsentPieces(fullText.length);
    const stream = unsent.open(pieces);
    await new Promise((resolve) => stream.once('readable', resolve));
    stream.read();
    expect(unsent.bytes).toBeLessThan(fullText.length);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(unsent.bytes).toBe(0);
  });

  it('are retained up to the limit; beyond it, the oldest text is aborted', async () => {
    const unsent = new UnsentPieces(2 * fullText.length);
    const [first, second] = [unsent.open(pieces), unsent.open(pieces)];
    expect(isBroken(first)).toBe(false);
    const broken = new Promise<Error>((resolve) => first.once('error', resolve));
    const third = unsent.open(pieces);
    expect((await broken).message).toMatch('newer responses need the memory');
    expect(unsent.bytes).toBe(2 * fullText.length);
    for (const stream of [second, third])
      expect((await buffer(stream)).equals(fullText)).toBe(true);
    expect(unsent.bytes).toBe(0);
  });

  it('are sent even if a single text exceeds the limit', async () => {
    const unsent = new UnsentPieces(1);
    expect((await buffer(unsent.open(pieces))).equals(fullText)).toBe(true);
  });
});

function isBroken(stream: Readable): boolean {
  return stream.destroyed;
}
