import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { waitFor } from '#testing';

import { SharedBody, SharedMemory } from './shared-body.js';

const pieceBytes = 64 * 1024;
const pieces = 160;
const fullBody = Buffer.concat(Array.from({ length: pieces }, (_, n) => piece(n)));

function piece(n: number): Buffer {
  return Buffer.alloc(pieceBytes, n);
}

/** A body, and the number of pieces that were read from it. */
function newSource() {
  const produced = { pieces: 0 };
  const source = new Readable({
    highWaterMark: pieceBytes,
    read() {
      this.push(produced.pieces < pieces ? piece(produced.pieces) : null);
      produced.pieces += 1;
    },
  });
  return { source, produced };
}

/** Reads one piece, like a slow client. */
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

describe('a shared body', () => {
  it('reaches every reader completely, with one read of the source', async () => {
    const { source, produced } = newSource();
    const memory = new SharedMemory(fullBody.length);
    const readers = new SharedBody(source, { memory, stallMs: 60_000 }).open(5);
    const taken = await Promise.all(readers.map((reader) => buffer(reader)));
    expect(taken.every((bytes) => bytes.equals(fullBody))).toBe(true);
    expect(produced.pieces).toBe(pieces + 1);
    expect(memory.usedBytes).toBe(0);
  });

  it('does not delay readers for one that reads nothing, while there is memory', async () => {
    const { source } = newSource();
    const memory = new SharedMemory(2 * fullBody.length);
    const [fast, slow] = new SharedBody(source, { memory, stallMs: 60_000 }).open(2);
    if (!fast || !slow) throw new Error('two readers were opened');
    expect((await buffer(fast)).equals(fullBody)).toBe(true);
    expect(memory.usedBytes).toBeLessThanOrEqual(fullBody.length);
    expect((await buffer(slow)).equals(fullBody)).toBe(true);
    expect(memory.usedBytes).toBe(0);
  });

  it('buffers at most the shared memory for slow readers; then the fast ones wait', async () => {
    const { source, produced } = newSource();
    const memory = new SharedMemory(10 * pieceBytes);
    const [fast, slow] = new SharedBody(source, { memory, stallMs: 60_000 }).open(2);
    if (!fast || !slow) throw new Error('two readers were opened');
    const taken = buffer(fast);
    const first = await take(slow);
    await waitFor('the memory to be full', () => memory.isFull);
    expect(produced.pieces).toBeLessThan(30);
    expect(Buffer.concat([first, await buffer(slow)]).equals(fullBody)).toBe(true);
    expect((await taken).equals(fullBody)).toBe(true);
    expect(memory.usedBytes).toBe(0);
  });

  it('buffers nothing for a single reader, however slow it is', async () => {
    const { source, produced } = newSource();
    const memory = new SharedMemory(pieceBytes);
    const [slow] = new SharedBody(source, { memory, stallMs: 1 }).open(1);
    if (!slow) throw new Error('a reader was opened');
    const taken = [await take(slow), await take(slow)];
    expect(memory.usedBytes).toBe(0);
    expect(produced.pieces).toBeLessThan(10);
    expect(Buffer.concat([...taken, await buffer(slow)]).equals(fullBody)).toBe(true);
  });

  it('disconnects a reader that reads nothing while others wait for it', async () => {
    const { source } = newSource();
    const memory = new SharedMemory(4 * pieceBytes);
    const [fast, stalled] = new SharedBody(source, { memory, stallMs: 20 }).open(2);
    if (!fast || !stalled) throw new Error('two readers were opened');
    const ended = new Promise<Error>((resolve) => stalled.once('error', resolve));
    expect((await buffer(fast)).equals(fullBody)).toBe(true);
    expect((await ended).message).toMatch('blocked the others');
    expect(memory.usedBytes).toBe(0);
  });

  it('does not block bodies that buffer nothing, and continues when memory is released', async () => {
    const memory = new SharedMemory(4 * pieceBytes);
    const open = () => new SharedBody(newSource().source, { memory, stallMs: 60_000 }).open(2);
    const [[fast, slow], [left, right]] = [open(), open()];
    if (!fast || !slow || !left || !right) throw new Error('four readers were opened');
    const first = buffer(fast);
    await waitFor('the memory to be full', () => memory.isFull);
    const others = Promise.all([buffer(left), buffer(right)]);
    expect((await others).every((bytes) => bytes.equals(fullBody))).toBe(true);
    slow.destroy();
    expect((await first).equals(fullBody)).toBe(true);
    expect(memory.usedBytes).toBe(0);
  });

  it('stops with its last reader, and fails for all readers together', async () => {
    const { source } = newSource();
    const memory = new SharedMemory(fullBody.length);
    const leaving = new SharedBody(source, { memory, stallMs: 60_000 }).open(2);
    await Promise.all(leaving.map((reader) => take(reader)));
    for (const reader of leaving) reader.destroy();
    await waitFor('the end of the source', () => source.destroyed);
    expect(memory.usedBytes).toBe(0);

    const broken = newSource().source;
    const readers = new SharedBody(broken, { memory, stallMs: 60_000 }).open(2);
    const taken = readers.map((reader) => buffer(reader));
    broken.destroy(new Error('the worker has ended'));
    for (const bytes of taken) await expect(bytes).rejects.toThrow('the worker has ended');
    expect(memory.usedBytes).toBe(0);
  });
});
