import { type AppendResult, VersionConflictError } from '#event-sourcing';

import { type ContractSite } from './contract-site.js';
import { newStream, newEvents, upTo, failure, ids } from './stored-events.js';

/** `isRepeat` distinguishes the first result from the results of repetitions; all other fields are the same. */
function versionAndPosition({ version, position }: AppendResult) {
  return { version, position };
}

export function repeatedAppends(site: ContractSite): void {
  describe('repeating an append', () => {
    test('returns the first result', async () => {
      for (const expected of ['no-stream', 3] as const) {
        const stream = await site.streamOf(expected === 3 ? 3 : 0);
        const batch = newEvents(3);
        const first = await site.store.append(stream, batch, expected);
        for (const store of [site.store, site.fixture.rival])
          expect(versionAndPosition(await store.append(stream, batch, expected))).toEqual(
            versionAndPosition(first),
          );
        expect(await site.stored(stream)).toHaveLength(first.version);
      }
    });

    test('returns the first result after a thousand other events', async () => {
      const stream = newStream();
      const batch = newEvents(2);
      const first = await site.store.append(stream, batch, 'no-stream');
      for (let version = 2; version < 1_002; version += 250)
        await site.store.append(stream, newEvents(250), version);
      const again = await site.store.append(stream, batch, 'no-stream');
      expect(versionAndPosition(again)).toEqual(versionAndPosition(first));
      expect(await site.stored(stream)).toHaveLength(1_002);
    });

    test('returns the same result to all simultaneous repetitions', async () => {
      const stream = newStream();
      const batch = newEvents(2);
      const answers = await Promise.all(
        upTo(10).map((n) =>
          (n % 2 ? site.store : site.fixture.rival).append(stream, batch, 'no-stream'),
        ),
      );
      expect(
        new Set(answers.map((answer) => JSON.stringify(versionAndPosition(answer)))).size,
      ).toBe(1);
      expect(await site.stored(stream)).toHaveLength(2);
      const canTell = answers.some(({ isRepeat }) => isRepeat !== undefined);
      const first = answers.filter(({ isRepeat }) => isRepeat === false);
      expect(first).toHaveLength(canTell ? 1 : 0);
    });

    test('succeeds with the first events of a longer append', async () => {
      const stream = newStream();
      const batch = newEvents(3);
      await site.store.append(stream, batch, 'no-stream');
      const [, second] = await site.stored(stream);
      const again = await site.store.append(stream, batch.slice(0, 2), 'no-stream');
      expect(versionAndPosition(again)).toEqual({ version: 2, position: second?.position });
    });

    test('conflicts if a later event differs', async () => {
      const stream = newStream();
      const batch = newEvents(3);
      await site.store.append(stream, batch, 'no-stream');
      const changed = [...batch.slice(0, 2), ...newEvents(1)];
      expect(await failure(site.store.append(stream, changed, 'no-stream'))).toMatchObject({
        actual: 3,
      });
    });

    test('conflicts if a later event is missing', async () => {
      const stream = newStream();
      const batch = newEvents(3);
      await site.store.append(stream, batch.slice(0, 2), 'no-stream');
      expect(await failure(site.store.append(stream, batch, 'no-stream'))).toBeInstanceOf(
        VersionConflictError,
      );
      expect(await site.stored(stream)).toHaveLength(2);
    });

    test('conflicts at another expected version', async () => {
      const stream = await site.streamOf(1);
      const batch = newEvents(1);
      await site.store.append(stream, batch, 1);
      await site.store.append(stream, newEvents(1), 2);
      expect(await failure(site.store.append(stream, batch, 'no-stream'))).toBeInstanceOf(
        VersionConflictError,
      );
    });

    test('stores again at the head: ids are not unique within a stream', async () => {
      const stream = newStream();
      const [event] = newEvents(1);
      if (!event) throw new Error('no event was created');
      await site.store.append(stream, [event, event], 'no-stream');
      expect((await site.store.append(stream, [event], 2)).version).toBe(3);
      expect(await site.stored(stream)).toHaveLength(3);
    });

    test('stores the same ids in another stream', async () => {
      const batch = newEvents(2);
      const [left, right] = [newStream(), newStream()];
      await site.store.append(left, batch, 'no-stream');
      await site.store.append(right, batch, 'no-stream');
      expect(ids(await site.stored(right))).toEqual(ids(batch));
    });
  });
}
