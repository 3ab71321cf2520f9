import { type EventToAppend, type Position, maxReadBytes } from '#event-sourcing';

import { type ContractSite } from './contract-site.js';
import { newStream, newEvents, readLog, failure, upTo } from './stored-events.js';

export function logReads(site: ContractSite): void {
  describe('reading the log', () => {
    test('begins after the position and follows the order of the log', async () => {
      const before = await site.store.head();
      const streams = [newStream(), newStream()];
      for (const stream of streams) await site.store.append(stream, newEvents(2), 'no-stream');
      for (const stream of streams) await site.store.append(stream, newEvents(1), 2);
      const log = await readLog(site.store, before);
      expect(log.map(({ stream, version }) => [streams.indexOf(stream), version])).toEqual([
        [0, 1],
        [0, 2],
        [1, 1],
        [1, 2],
        [0, 3],
        [1, 3],
      ]);
      const third = log[2];
      if (!third) throw new Error('six events were stored');
      expect(await site.store.readAll({ after: third.position, limit: 2 })).toEqual(
        log.slice(3, 5),
      );
    });

    test('ends with the event that makes it large, and the next read continues after it', async () => {
      const before = await site.store.head();
      const stream = newStream();
      const large = Math.ceil(maxReadBytes / 10);
      for (let version = 0; version < 12; version++)
        await site.store.append(stream, [largeEvent(large)], version || 'no-stream');
      const first = await site.store.readAll({ after: before, limit: 100 });
      expect(first.map(({ version }) => version)).toEqual(upTo(10));
      const after = first.at(-1)?.position ?? 'start';
      const second = await site.store.readAll({ after, limit: 100 });
      expect(second.map(({ version }) => version)).toEqual([11, 12]);
    });

    test('returns the same events as reading the stream', async () => {
      const before = await site.store.head();
      const stream = await site.streamOf(3);
      expect(await readLog(site.store, before)).toEqual(await site.stored(stream));
    });

    test('orders positions by comparePositions', async () => {
      const before = await site.store.head();
      await site.streamOf(12);
      const positions = (await readLog(site.store, before)).map(({ position }) => position);
      const ordered = [...positions]
        .sort(() => -1)
        .sort((a, b) => site.store.comparePositions(a, b));
      expect(ordered).toEqual(positions);
      const [first, second] = positions;
      if (!first || !second) throw new Error('twelve events were stored');
      expect(Math.sign(site.store.comparePositions(second, first))).toBe(1);
      expect(Math.sign(site.store.comparePositions('start', first))).toBe(-1);
      expect(site.store.comparePositions(first, first)).toBe(0);
      expect(site.store.comparePositions('start', 'start')).toBe(0);
    });

    test('ends at the head', async () => {
      const { position } = await site.store.append(newStream(), newEvents(2), 'no-stream');
      expect(await site.store.head()).toBe(position);
      expect(await site.fixture.rival.head()).toBe(position);
      expect(await site.store.readAll({ after: position, limit: 10 })).toEqual([]);
    });

    test('counts the events between positions if positions count events', async () => {
      const before = await site.store.head();
      const { position } = await site.store.append(newStream(), newEvents(7), 'no-stream');
      expect(site.store.countBetween(before, position)).toBe(
        site.flags.countsEvents ? 7 : undefined,
      );
      expect(site.store.countBetween(position, position)).toBe(
        site.flags.countsEvents ? 0 : undefined,
      );
    });

    test('rejects a limit below one', async () => {
      expect(await failure(site.store.readAll({ after: 'start', limit: 0 }))).toBeInstanceOf(
        RangeError,
      );
    });

    test('rejects a value that is not a position', async () => {
      // A checkpoint can pass a position of another adapter to a store, unnoticed by the types.
      const foreign = 'C:1/P:1' as Position;
      expect(await failure(site.store.readAll({ after: foreign, limit: 1 }))).toBeInstanceOf(
        RangeError,
      );
    });

    test('returns the same identity through every connection', async () => {
      const identity = await site.store.identity();
      expect(identity).not.toBe('');
      expect(await site.fixture.rival.identity()).toBe(identity);
    });
  });
}

function largeEvent(bytes: number): EventToAppend {
  const [event] = newEvents(1);
  if (!event) throw new Error('no event was created');
  return { ...event, data: JSON.stringify('x'.repeat(bytes)) };
}
