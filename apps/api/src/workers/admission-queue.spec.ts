import { type Release, AdmissionQueue } from './admission-queue.js';
import { OverloadedError } from '../problems/worker.errors.js';

const limits = { slots: 2, slotsPerKey: 1, waiting: 4, waitingPerKey: 3, waitMs: 10_000 };
const { signal } = new AbortController();

/** Admits requests and records the order in which they start. */
function record(queue: AdmissionQueue) {
  const started: string[] = [];
  const releases = new Map<string, Release>();
  const admit = async (key: string, name: string) => {
    releases.set(name, await queue.admit(key, signal));
    started.push(name);
  };
  const end = async (name: string) => {
    releases.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, admit, end };
}

describe('the admission queue', () => {
  it('lets keys take turns, and never assigns all slots to one key', async () => {
    const { started, admit, end } = record(new AdmissionQueue(limits));
    await admit('a', 'a1');
    const later = [admit('a', 'a2'), admit('a', 'a3')];
    await admit('b', 'b1');
    later.push(admit('c', 'c1'));
    await end('a1');
    await end('a2');
    await end('b1');
    await end('c1');
    await Promise.all(later);
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
  });

  it('frees a slot once, even if it is released several times', async () => {
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

  it('refuses requests beyond the limit of a key and beyond the limit of all keys', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1 });
    await queue.admit('a', signal);
    const client = new AbortController();
    const waiting = ['a', 'a', 'a'].map((key) => queue.admit(key, client.signal));
    await expect(queue.admit('a', signal)).rejects.toThrow(OverloadedError);
    waiting.push(queue.admit('b', client.signal));
    await expect(queue.admit('c', signal)).rejects.toThrow(OverloadedError);
    client.abort(new Error('disconnected'));
    const ends = waiting.map((each) => expect(each).rejects.toThrow('disconnected'));
    await Promise.all(ends);
  });

  it('refuses a request that has waited too long, and continues with the others', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1, waitMs: 1 });
    const release = await queue.admit('a', signal);
    await expect(queue.admit('b', signal)).rejects.toThrow(OverloadedError);
    release();
    await expect(queue.admit('b', signal)).resolves.toBeInstanceOf(Function);
  });

  it('removes a request whose client disconnects', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1, waitingPerKey: 1 });
    const release = await queue.admit('a', signal);
    const client = new AbortController();
    const aborted = queue.admit('b', client.signal);
    client.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    const next = queue.admit('b', signal);
    release();
    await expect(next).resolves.toBeInstanceOf(Function);
  });

  it('assigns no slot to a request that is aborted at the moment of a release', async () => {
    const queue = new AdmissionQueue({ ...limits, slots: 1 });
    const release = await queue.admit('a', signal);
    const client = new AbortController();
    const aborted = queue.admit('b', client.signal);
    const next = queue.admit('c', signal);
    client.abort(new Error('disconnected'));
    release();
    await expect(aborted).rejects.toThrow('disconnected');
    await expect(next).resolves.toBeInstanceOf(Function);
  });

  it('lets other requests overtake one that cannot begin yet', async () => {
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
