import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { waitFor } from '#testing';

import { SharedBody, SharedMemory } from './shared-body.js';

const pieceBytes = 64 * 1024;
const pieces = 160;
const whole = Buffer.concat(Array.from({ length: pieces }, (_, n) => piece(n)));

function piece(n: number): Buffer {
  return Buffer.alloc(pieceBytes, n);
}

/** A body, and how much of it was read. */
function newSource() {
  const made = { pieces: 0 };
  const source = new Readable({
    highWaterMark: pieceBytes,
    read() {
      this.push(made.pieces < pieces ? piece(made.pieces) : null);
      made.pieces += 1;
    },
  });
  return { source, made };
}

/** Takes one piece after another, as a client does that reads slowly. */
function take(reader: Readable): Promise<Buffer> {
  return new Promise((resolve) => {
    const next = () => {
      const bytes: Buffer | null = reader.read();
      if (bytes) resolve(bytes);
      else reader.once('readable', next);
    };
    next();
  });
}

describe('a body that is shared', () => {
  it('reaches every reader whole, from one read of it', async () => {
    const { source, made } = newSource();
    const memory = new SharedMemory(whole.length);
    const readers = new SharedBody(source, { memory, stallMs: 60_000 }).open(5);
    const taken = await Promise.all(readers.map((reader) => buffer(reader)));
    expect(taken.every((bytes) => bytes.equals(whole))).toBe(true);
    expect(made.pieces).toBe(pieces + 1);
    expect(memory.held).toBe(0);
  });

  it('does not keep the others back for one who takes nothing, while there is memory', async () => {
    const { source } = newSource();
    const memory = new SharedMemory(2 * whole.length);
    const [fast, slow] = new SharedBody(source, { memory, stallMs: 60_000 }).open(2);
    if (!fast || !slow) throw new Error('two readers were opened');
    expect((await buffer(fast)).equals(whole)).toBe(true);
    expect(memory.held).toBeLessThanOrEqual(whole.length);
    expect((await buffer(slow)).equals(whole)).toBe(true);
    expect(memory.held).toBe(0);
  });

  it('holds no more than its memory for slow readers, for whom the fast ones wait', async () => {
    const { source, made } = newSource();
    const memory = new SharedMemory(10 * pieceBytes);
    const [fast, slow] = new SharedBody(source, { memory, stallMs: 60_000 }).open(2);
    if (!fast || !slow) throw new Error('two readers were opened');
    const taken = buffer(fast);
    const first = await take(slow);
    await waitFor('the memory to be full', () => memory.isFull);
    expect(made.pieces).toBeLessThan(30);
    expect(Buffer.concat([first, await buffer(slow)]).equals(whole)).toBe(true);
    expect((await taken).equals(whole)).toBe(true);
    expect(memory.held).toBe(0);
  });

  it('holds nothing for a single reader, however slow it is', async () => {
    const { source, made } = newSource();
    const memory = new SharedMemory(pieceBytes);
    const [slow] = new SharedBody(source, { memory, stallMs: 1 }).open(1);
    if (!slow) throw new Error('a reader was opened');
    const taken = [await take(slow), await take(slow)];
    expect(memory.held).toBe(0);
    expect(made.pieces).toBeLessThan(10);
    expect(Buffer.concat([...taken, await buffer(slow)]).equals(whole)).toBe(true);
  });

  it('cuts off who takes nothing while others wait for it', async () => {
    const { source } = newSource();
    const memory = new SharedMemory(4 * pieceBytes);
    const [fast, stalled] = new SharedBody(source, { memory, stallMs: 20 }).open(2);
    if (!fast || !stalled) throw new Error('two readers were opened');
    const ended = new Promise<Error>((resolve) => stalled.once('error', resolve));
    expect((await buffer(fast)).equals(whole)).toBe(true);
    expect((await ended).message).toMatch('kept the others waiting');
    expect(memory.held).toBe(0);
  });

  it('lets other bodies go on whose readers hold nothing, and gets on when these give back', async () => {
    const memory = new SharedMemory(4 * pieceBytes);
    const open = () => new SharedBody(newSource().source, { memory, stallMs: 60_000 }).open(2);
    const [[fast, slow], [left, right]] = [open(), open()];
    if (!fast || !slow || !left || !right) throw new Error('four readers were opened');
    const first = buffer(fast);
    await waitFor('the memory to be full', () => memory.isFull);
    const others = Promise.all([buffer(left), buffer(right)]);
    expect((await others).every((bytes) => bytes.equals(whole))).toBe(true);
    slow.destroy();
    expect((await first).equals(whole)).toBe(true);
    expect(memory.held).toBe(0);
  });

  it('is given up with its last reader, and fails for all of them', async () => {
    const { source } = newSource();
    const memory = new SharedMemory(whole.length);
    const gone = new SharedBody(source, { memory, stallMs: 60_000 }).open(2);
    await Promise.all(gone.map((reader) => take(reader)));
    for (const reader of gone) reader.destroy();
    await waitFor('the end of the source', () => source.destroyed);
    expect(memory.held).toBe(0);

    const broken = newSource().source;
    const readers = new SharedBody(broken, { memory, stallMs: 60_000 }).open(2);
    const taken = readers.map((reader) => buffer(reader));
    broken.destroy(new Error('the worker has ended'));
    for (const bytes of taken) await expect(bytes).rejects.toThrow('the worker has ended');
    expect(memory.held).toBe(0);
  });
});
