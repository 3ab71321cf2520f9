import { randomUUID } from 'node:crypto';

import { type CallOptions, type EventStore, InMemoryEventStore } from '#event-sourcing';

import { abortableStore } from './abortable-store.js';

describe('abortableStore', () => {
  const reason = new Error('this process ends');
  const silence = ({ signal }: CallOptions = {}) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const silent = (store: EventStore): EventStore => ({
    ...abortableStore(new AbortController().signal, store),
    readStream: (_stream, _read, options) => silence(options),
    head: silence,
    identity: silence,
  });

  it('returns the results of the store', async () => {
    const store = abortableStore(new AbortController().signal, new InMemoryEventStore());
    const event = { eventId: randomUUID(), type: 'Added', data: '{}', metadata: '{}' };
    const { position } = await store.append('s', [event], 'no-stream');
    expect(await store.head()).toBe(position);
    expect(await store.readStream('s', { limit: 1 })).toMatchObject([event]);
    expect(store.comparePositions('start', position)).toBeLessThan(0);
  });

  it('aborts every pending call when the signal fires', async () => {
    const ended = new AbortController();
    const store = abortableStore(ended.signal, silent(new InMemoryEventStore()));
    const calls = [store.head(), store.identity(), store.readStream('s', { limit: 1 })];
    ended.abort(reason);
    for (const call of calls) await expect(call).rejects.toBe(reason);
  });

  it('still lets a caller abort its own call', async () => {
    const store = abortableStore(new AbortController().signal, silent(new InMemoryEventStore()));
    const caller = new AbortController();
    const call = store.head({ signal: caller.signal });
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});
