import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { type Release, AdmissionQueue } from './admission-queue.js';
import { OverloadedError, WorkerLostError } from '../problems/worker.errors.js';
import { ReaderGroups } from './reader-groups.js';
import { SharedMemory } from './shared-body.js';
import { type Asker } from './worker-pool.js';
import { type ForwardedRequest } from './worker-process.js';

const request: ForwardedRequest = { method: 'GET', path: '/', headers: {}, body: undefined };

/** Reads that are under way, each of which the test ends. */
type Read = Readonly<{
  release: Release;
  signal: AbortSignal;
  answer: (body: string) => void;
  fail: (error: Error) => void;
}>;

function open(limits: Partial<ConstructorParameters<typeof AdmissionQueue>[0]> = {}) {
  const reads: Read[] = [];
  const queue = new AdmissionQueue({
    slots: 4,
    slotsPerKey: 3,
    waiting: 256,
    waitingPerKey: 64,
    waitMs: 10_000,
    ...limits,
  });
  const groups = new ReaderGroups(
    {
      admit: ({ key, signal }: Asker, after) => queue.admit(key, signal, after),
      send: (_, { release, signal }) => {
        const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
        const answer = (body: string) => {
          release();
          resolve(messageOf(body));
        };
        const fail = (error: Error) => {
          release();
          reject(error);
        };
        signal.addEventListener('abort', () => fail(new Error('given up')));
        reads.push({ release, signal, answer, fail });
        return promise;
      },
    },
    { memory: new SharedMemory(1_000_000), stallMs: 60_000 },
  );
  const ask = async (name: string, asker: Partial<Asker> = {}) => {
    const { signal } = new AbortController();
    const answer = await groups.forward(name, request, { key: 'a', signal, ...asker });
    return { isShared: answer.isShared, text: await text(answer.body) };
  };
  /** Whether the next request is read for, and gets the answer. */
  const answered = async () => {
    const next = ask('large');
    await settled();
    reads.at(-1)?.answer('again');
    return (await next).text === 'again';
  };
  return { queue, reads, ask, answered };
}

function messageOf(body: string): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.statusCode = 200;
  message.push(body);
  message.push(null);
  return message;
}

/** What has begun by then has done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('requests for the same answer', () => {
  it('share one read if they come before it begins', async () => {
    const { queue, reads, ask } = open({ slots: 1 });
    const release = await queue.admit('other', new AbortController().signal);
    const asked = Array.from({ length: 16 }, () => ask('large'));
    await settled();
    expect(reads).toHaveLength(0);
    release();
    await settled();
    expect(reads).toHaveLength(1);
    reads[0]?.answer('all of it');
    const answers = await Promise.all(asked);
    expect(answers.every((answer) => answer.text === 'all of it')).toBe(true);
    expect(answers.filter(({ isShared }) => !isShared)).toHaveLength(1);
  });

  it('are answered by the next read if they come while one runs, and there is one at a time', async () => {
    const { reads, ask } = open();
    const first = ask('large');
    await settled();
    const second = [ask('large'), ask('large'), ask('large', { key: 'b' })];
    await settled();
    expect(reads).toHaveLength(1);
    reads[0]?.answer('old');
    expect(await first).toEqual({ isShared: false, text: 'old' });
    await settled();
    expect(reads).toHaveLength(2);
    reads[1]?.answer('new');
    const answers = await Promise.all(second);
    expect(answers.map((answer) => answer.text)).toEqual(['new', 'new', 'new']);
  });

  it('are read for at once if they are not the same', async () => {
    const { reads, ask } = open();
    const asked = [ask('large'), ask('other')];
    await settled();
    expect(reads).toHaveLength(2);
    for (const [n, read] of reads.entries()) read.answer(String(n));
    expect((await Promise.all(asked)).map((answer) => answer.text)).toEqual(['0', '1']);
  });

  it('wait for a turn of whichever key has one first, and take one slot together', async () => {
    const { queue, reads, ask } = open({ slots: 3, slotsPerKey: 2 });
    const { signal } = new AbortController();
    for (let n = 0; n < 2; n++) await queue.admit('busy', signal);
    const first = ask('large', { key: 'busy' });
    await settled();
    expect(reads).toHaveLength(0);
    const second = ask('large', { key: 'idle' });
    await settled();
    expect(reads).toHaveLength(1);
    reads[0]?.answer('both');
    expect(await Promise.all([first, second])).toEqual([
      { isShared: true, text: 'both' },
      { isShared: false, text: 'both' },
    ]);
    await expect(queue.admit('idle', signal)).resolves.toBeInstanceOf(Function);
  });

  it('go on without those who go away, and are given up with the last of them', async () => {
    const { reads, ask, answered } = open();
    const [gone, last] = [new AbortController(), new AbortController()];
    const left = ask('large', { signal: gone.signal });
    const stays = ask('large', { signal: last.signal });
    await settled();
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await settled();
    expect(reads[0]?.signal.aborted).toBe(false);
    last.abort(new Error('gone too'));
    await expect(stays).rejects.toThrow('gone too');
    await settled();
    expect(reads[0]?.signal.aborted).toBe(true);
    expect(await answered()).toBe(true);
  });

  it('fail together, and the next ones are read for', async () => {
    const { reads, ask, answered } = open();
    const asked = [ask('large'), ask('large')];
    await settled();
    reads[0]?.fail(new WorkerLostError('a worker ended'));
    for (const answer of asked) await expect(answer).rejects.toThrow(WorkerLostError);
    expect(await answered()).toBe(true);
  });

  it('are refused one by one if there is no turn in time', async () => {
    const { queue, ask, answered } = open({ slots: 1, waitMs: 5 });
    const release = await queue.admit('other', new AbortController().signal);
    for (const asked of [ask('large'), ask('large')])
      await expect(asked).rejects.toThrow(OverloadedError);
    release();
    expect(await answered()).toBe(true);
  });

  it('are refused if the read before theirs takes too long, and the next ones are read for', async () => {
    const { reads, ask, answered } = open({ waitMs: 5 });
    const first = ask('large');
    await settled();
    for (const asked of [ask('large'), ask('large')])
      await expect(asked).rejects.toThrow(OverloadedError);
    reads[0]?.answer('late');
    expect(await first).toMatchObject({ text: 'late' });
    expect(await answered()).toBe(true);
  });

  it('are refused if too many of their key wait for the read before theirs', async () => {
    const { reads, ask } = open({ waitingPerKey: 2 });
    const first = ask('large');
    await settled();
    const waiting = [ask('large'), ask('large')];
    await expect(ask('large')).rejects.toThrow(OverloadedError);
    const other = ask('large', { key: 'b' });
    reads[0]?.answer('old');
    await first;
    await settled();
    reads[1]?.answer('new');
    const answers = await Promise.all([...waiting, other]);
    expect(answers.every((answer) => answer.text === 'new')).toBe(true);
  });
});
