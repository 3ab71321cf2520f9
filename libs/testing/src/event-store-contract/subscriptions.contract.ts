import { type StoredEvent } from '#event-sourcing';

import { type ContractSite } from './contract-site.js';
import { newStream, newEvents, upTo, collect, follow, ids } from './stored-events.js';

export function subscriptions(site: ContractSite): void {
  describe('a subscription', () => {
    test('delivers history first, then new events, in order', async () => {
      const before = await site.store.head();
      const history = newEvents(5);
      const live = newEvents(7);
      const stream = newStream();
      await site.store.append(stream, history, 'no-stream');
      const seen: StoredEvent[] = [];
      await follow(site.store, { after: before, batchSize: 2 }, async (batch) => {
        expect(batch.length).toBeLessThanOrEqual(2);
        seen.push(...batch);
        if (seen.length === 5) await site.fixture.rival.append(stream, live, 5);
        return seen.length < 12;
      });
      expect(ids(seen)).toEqual(ids([...history, ...live]));
      expect(seen).toEqual(await site.stored(stream));
    });

    test('waits for the first event after the head', async () => {
      const before = await site.store.head();
      const following = collect(site.store, before, 1);
      const batch = newEvents(1);
      await site.fixture.rival.append(newStream(), batch, 'no-stream');
      expect(ids(await following)).toEqual(ids(batch));
    });

    test('resumes after the last position that it delivered', async () => {
      const before = await site.store.head();
      const stream = await site.streamOf(6);
      const first = await collect(site.store, before, 3);
      const last = first[2];
      if (!last) throw new Error('three events were collected');
      const rest = await collect(site.fixture.rival, last.position, 3);
      expect([...first.slice(0, 3), ...rest]).toEqual(await site.stored(stream));
    });

    test('delivers each event of many writers once, each stream in order', async () => {
      const before = await site.store.head();
      const streams = upTo(10).map(newStream);
      const following = Promise.all([
        collect(site.store, before, 400),
        collect(site.store, before, 400),
      ]);
      await Promise.all(
        streams.map(async (stream, n) => {
          for (let version = 0; version < 40; version += 2)
            await (n % 2 ? site.store : site.fixture.rival).append(
              stream,
              newEvents(2),
              version || 'no-stream',
            );
        }),
      );
      for (const seen of await following)
        for (const stream of streams)
          expect(seen.filter((event) => event.stream === stream).map((e) => e.version)).toEqual(
            upTo(40),
          );
    });

    test('ends on its signal, both while it waits and before it begins', async () => {
      const ended = new AbortController();
      const waiting = (async () => {
        const after = await site.store.head();
        await Array.fromAsync(
          site.store.subscribeAll({ after, batchSize: 10, signal: ended.signal }),
        );
        return 'ended';
      })();
      ended.abort();
      expect(await waiting).toBe('ended');
      const late = site.store.subscribeAll({ after: 'start', batchSize: 10, signal: ended.signal });
      expect(await Array.fromAsync(late)).toEqual([]);
    });
  });
}
