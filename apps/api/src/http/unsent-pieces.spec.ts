import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { UnsentPieces } from './unsent-pieces.js';

const pieces = Array.from({ length: 10 }, (_, n) => Buffer.alloc(100_000, n));
const whole = Buffer.concat(pieces);

describe('pieces of a long text', () => {
  it('reach the reader whole and in their order, and nothing is held behind', async () => {
    const unsent = new UnsentPieces(whole.length);
    expect((await buffer(unsent.open(pieces))).equals(whole)).toBe(true);
    expect(unsent.bytes).toBe(0);
  });

  it('are let go as they are taken, and all of them when the reader goes', async () => {
    const unsent = new UnsentPieces(whole.length);
    const stream = unsent.open(pieces);
    await new Promise((resolve) => stream.once('readable', resolve));
    stream.read();
    expect(unsent.bytes).toBeLessThan(whole.length);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(unsent.bytes).toBe(0);
  });

  it('stay while they hold as much as they may, and the oldest are broken off beyond', async () => {
    const unsent = new UnsentPieces(2 * whole.length);
    const [first, second] = [unsent.open(pieces), unsent.open(pieces)];
    expect(isBroken(first)).toBe(false);
    const broken = new Promise<Error>((resolve) => first.once('error', resolve));
    const third = unsent.open(pieces);
    expect((await broken).message).toMatch('others need the memory');
    expect(unsent.bytes).toBe(2 * whole.length);
    for (const stream of [second, third]) expect((await buffer(stream)).equals(whole)).toBe(true);
    expect(unsent.bytes).toBe(0);
  });

  it('are sent even if one text alone has more than all may have', async () => {
    const unsent = new UnsentPieces(1);
    expect((await buffer(unsent.open(pieces))).equals(whole)).toBe(true);
  });
});

function isBroken(stream: Readable): boolean {
  return stream.destroyed;
}
