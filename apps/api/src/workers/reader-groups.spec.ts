import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { type Release, AdmissionQueue } from './admission-queue.js';
import { OverloadedError, WorkerLostError } from '../problems/worker.errors.js';
import { ReaderGroups } from './reader-groups.js';
import { SharedMemory } from './shared-body.js';
import { type PoolCaller } from './worker-pool.js';
import { type ForwardedRequest } from './worker-process.js';

const request: ForwardedRequest = { method: 'GET', path: '/', headers: {}, body: undefined };

/** A running read; the test ends it. */
type RunningRead = Readonly<{
  release: Release;
  signal: AbortSignal;
  answer: (body: string) => void;
  fail: (error: Error) => void;
}>;

function open(limits: Partial<ConstructorParameters<typeof AdmissionQueue>[0]> = {}) {
  const reads: RunningRead[] = [];
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
      admit: ({ key, signal }: PoolCaller, after) => queue.admit(key, signal, after),
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
        signal.addEventListener('abort', () => fail(new Error('aborted')));
        reads.push({ release, signal, answer, fail });
        return promise;
      },
    },
    { memory: new SharedMemory(1_000_000), stallMs: 60_000 },
  );
  const ask = async (name: string, caller: Partial<PoolCaller> = {}) => {
    const { signal } = new AbortController();
    const answer = await groups.forward(name, request, { key: 'a', signal, ...caller });
    return { isShared: answer.isShared, text: await text(answer.body) };
  };
  /** Whether the next request starts a new read and gets its answer. */
  const startsNewRead = async () => {
    const next = ask('large');
    await settled();
    reads.at(-1)?.answer('again');
    return (await next).text === 'again';
  };
  return { queue, reads, ask, startsNewRead };
}

function messageOf(body: string): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.statusCode = 200;
  message.push(body);
  message.push(null);
  return message;
}

/** Resolves after everything that can start without waiting has started. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('requests for the same answer', () => {
  it('share one read if they arrive before it begins', async () => {
    const { queue, reads, ask } = open({ slots: 1 });
    const release = await queue.admit('other', new AbortController().signal);
    const pending = Array.from({ length: 16 }, () => ask('large'));
    await settled();
    expect(reads).toHaveLength(0);
    release();
    await settled();
    expect(reads).toHaveLength(1);
    reads[0]?.answer('all of it');
    const answers = await Promise.all(pending);
    expect(answers.every((answer) => answer.text === 'all of it')).toBe(true);
    expect(answers.filter(({ isShared }) => !isShared)).toHaveLength(1);
  });

  it('are answered by the next read if they arrive while one runs; one read runs at a time', async () => {
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

  it('start separate reads if they have different names', async () => {
    const { reads, ask } = open();
    const pending = [ask('large'), ask('other')];
    await settled();
    expect(reads).toHaveLength(2);
    for (const [n, read] of reads.entries()) read.answer(String(n));
    expect((await Promise.all(pending)).map((answer) => answer.text)).toEqual(['0', '1']);
  });

  it('start with the first free turn of any of their keys, and take one slot together', async () => {
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

  it('continue without disconnected clients, and are aborted when the last client disconnects', async () => {
    const { reads, ask, startsNewRead } = open();
    const [first, last] = [new AbortController(), new AbortController()];
    const early = ask('large', { signal: first.signal });
    const late = ask('large', { signal: last.signal });
    await settled();
    first.abort(new Error('disconnected'));
    await expect(early).rejects.toThrow('disconnected');
    await settled();
    expect(reads[0]?.signal.aborted).toBe(false);
    last.abort(new Error('disconnected too'));
    await expect(late).rejects.toThrow('disconnected too');
    await settled();
    expect(reads[0]?.signal.aborted).toBe(true);
    expect(await startsNewRead()).toBe(true);
  });

  it('fail together, and the next request starts a new read', async () => {
    const { reads, ask, startsNewRead } = open();
    const pending = [ask('large'), ask('large')];
    await settled();
    reads[0]?.fail(new WorkerLostError('a worker ended'));
    for (const answer of pending) await expect(answer).rejects.toThrow(WorkerLostError);
    expect(await startsNewRead()).toBe(true);
  });

  it('are refused individually if there is no slot in time', async () => {
    const { queue, ask, startsNewRead } = open({ slots: 1, waitMs: 5 });
    const release = await queue.admit('other', new AbortController().signal);
    for (const pending of [ask('large'), ask('large')])
      await expect(pending).rejects.toThrow(OverloadedError);
    release();
    expect(await startsNewRead()).toBe(true);
  });

  it('are refused if the previous read takes too long, and the next request starts a new read', async () => {
    const { reads, ask, startsNewRead } = open({ waitMs: 5 });
    const first = ask('large');
    await settled();
    for (const pending of [ask('large'), ask('large')])
      await expect(pending).rejects.toThrow(OverloadedError);
    reads[0]?.answer('late');
    expect(await first).toMatchObject({ text: 'late' });
    expect(await startsNewRead()).toBe(true);
  });

  it('are refused if too many requests of their key wait for the previous read', async () => {
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
