import { type Release, AdmissionQueue } from './admission-queue.js';
import { OverloadedError } from '../problems/worker.errors.js';

const limits = { slots: 2, slotsPerKey: 1, waiting: 4, waitingPerKey: 3, waitMs: 10_000 };
const { signal } = new AbortController();

/** Admits requests and records the order in which they start. */
function record(queue: AdmissionQueue) {
  const started: string[] = [];
  const releases = new Map<string, Release>();
  const ask = async (key: string, name: string) => {
    releases.set(name, await queue.admit(key, signal));
    started.push(name);
  };
  const end = async (name: string) => {
    releases.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, ask, end };
}

describe('an admission queue', () => {
  it('lets keys take turns, and gives no key every slot', async () => {
    const { started, ask, end } = record(new AdmissionQueue(limits));
    await ask('a', 'a1');
    const later = [ask('a', 'a2'), ask('a', 'a3')];
    await ask('b', 'b1');
    later.push(ask('c', 'c1'));
    await end('a1');
    await end('a2');
    await end('b1');
    await end('c1');
    await Promise.all(later);
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
  });

  it('gives a slot back once, however often it is released', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1 });
    const release = await queue.admit('a', signal);
    const [second, third] = [queue.admit('b', signal), queue.admit('c', signal)];
    release();
    release();
    await second;
    const isWaiting = await Promise.race([
      third.then(() => false),
      new Promise((resolve) => setImmediate(() => resolve(true))),
    ]);
    expect(isWaiting).toBe(true);
  });

  it('refuses the request that is one too many, of one key and of all', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1 });
    await queue.admit('a', signal);
    const gone = new AbortController();
    const waiting = ['a', 'a', 'a'].map((key) => queue.admit(key, gone.signal));
    await expect(queue.admit('a', signal)).rejects.toThrow(OverloadedError);
    waiting.push(queue.admit('b', gone.signal));
    await expect(queue.admit('c', signal)).rejects.toThrow(OverloadedError);
    gone.abort(new Error('gone'));
    const ends = waiting.map((each) => expect(each).rejects.toThrow('gone'));
    await Promise.all(ends);
  });

  it('refuses whoever has waited too long, and goes on with the others', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1, waitMs: 1 });
    const release = await queue.admit('a', signal);
    await expect(queue.admit('b', signal)).rejects.toThrow(OverloadedError);
    release();
    await expect(queue.admit('b', signal)).resolves.toBeInstanceOf(Function);
  });

  it('forgets whoever goes away', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1, waitingPerKey: 1 });
    const release = await queue.admit('a', signal);
    const gone = new AbortController();
    const left = queue.admit('b', gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    const next = queue.admit('b', signal);
    release();
    await expect(next).resolves.toBeInstanceOf(Function);
  });

  it('gives no slot to whoever goes away at the moment one is released', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1 });
    const release = await queue.admit('a', signal);
    const gone = new AbortController();
    const left = queue.admit('b', gone.signal);
    const next = queue.admit('c', signal);
    gone.abort(new Error('gone'));
    release();
    await expect(left).rejects.toThrow('gone');
    await expect(next).resolves.toBeInstanceOf(Function);
  });

  it('lets others pass whoever cannot begin yet', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1 });
    const { promise: after, resolve: begin } = Promise.withResolvers<void>();
    const later = queue.admit('a', signal, after);
    const release = await queue.admit('a', signal);
    begin();
    const isWaiting = await Promise.race([
      later.then(() => false),
      new Promise((resolve) => setImmediate(() => resolve(true))),
    ]);
    expect(isWaiting).toBe(true);
    release();
    await expect(later).resolves.toBeInstanceOf(Function);
  });
});
