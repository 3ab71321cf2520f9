import { type ExpectedVersion, InvalidAppendError, VersionConflictError } from '#event-sourcing';

import { type ContractSite } from './contract-site.js';
import { newStream, newEvents, upTo, failure, expectContiguous } from './stored-events.js';

export function expectedVersions(site: ContractSite): void {
  describe('expected versions', () => {
    const accepted: [string, number, ExpectedVersion][] = [
      ['any of an absent stream', 0, 'any'],
      ['any of an existing stream', 2, 'any'],
      ['no-stream of an absent stream', 0, 'no-stream'],
      ['stream-exists of an existing stream', 2, 'stream-exists'],
      ['the exact version', 2, 2],
    ];

    test.each(accepted)('accepts %s', async (_, count, expected) => {
      const stream = await site.streamOf(count);
      const result = await site.store.append(stream, newEvents(2), expected);
      expect(result.version).toBe(count + 2);
      expect((await site.stored(stream)).map(({ version }) => version)).toEqual(upTo(count + 2));
    });

    const refused: [string, number, ExpectedVersion][] = [
      ['no-stream of an existing stream', 2, 'no-stream'],
      ['stream-exists of an absent stream', 0, 'stream-exists'],
      ['an exact version of an absent stream', 0, 1],
      ['an exact version ahead of the stream', 2, 3],
      ['an exact version behind the stream', 2, 1],
    ];

    test.each(refused)('rejects %s and stores nothing', async (_, count, expected) => {
      const stream = await site.streamOf(count);
      const refusal = await failure(site.store.append(stream, newEvents(2), expected));
      expect(refusal).toBeInstanceOf(VersionConflictError);
      expect(refusal).toMatchObject({ stream, expected, actual: count });
      expect(await site.stored(stream)).toHaveLength(count);
    });

    test('rejects a version that no stream can have', async () => {
      const stream = await site.streamOf(1);
      for (const expected of [0, -1, 1.5, Number.NaN])
        expect(await failure(site.store.append(stream, newEvents(1), expected))).toBeInstanceOf(
          InvalidAppendError,
        );
      expect(await site.stored(stream)).toHaveLength(1);
    });

    const races: [string, number, ExpectedVersion][] = [
      ['the same exact version', 1, 1],
      ['no-stream', 0, 'no-stream'],
    ];

    test.each(races)('lets exactly one of racing writers of %s win', async (_, count, expected) => {
      const stream = await site.streamOf(count);
      const attempts = upTo(20).map(async (n) => {
        const store = n % 2 ? site.store : site.fixture.rival;
        try {
          return await store.append(stream, newEvents(1), expected);
        } catch (error) {
          // The loser decides again, based on the winner's event.
          expect(await store.readStream(stream, { from: count + 1, limit: 1 })).toHaveLength(1);
          throw error;
        }
      });
      const outcomes = await Promise.allSettled(attempts);
      const lost = outcomes.filter(({ status }) => status === 'rejected');
      expect(lost).toHaveLength(19);
      for (const outcome of lost)
        expect(outcome).toMatchObject({ reason: expect.any(VersionConflictError) });
      expect(await site.stored(stream)).toHaveLength(count + 1);
    });

    const crowds: [string, number, ExpectedVersion][] = [
      ['any', 0, 'any'],
      ['stream-exists', 1, 'stream-exists'],
    ];

    test.each(crowds)(
      'stores the events of all racing writers of %s',
      async (_, count, expected) => {
        const stream = await site.streamOf(count);
        const batches = upTo(20).map(() => newEvents(2));
        await Promise.all(
          batches.map((batch, n) =>
            (n % 2 ? site.store : site.fixture.rival).append(stream, batch, expected),
          ),
        );
        const all = await site.stored(stream);
        expect(all.map(({ version }) => version)).toEqual(upTo(count + 40));
        for (const batch of batches) expectContiguous(all, batch);
      },
    );

    test('performs consecutive appends in the order of the calls', async () => {
      const stream = newStream();
      const calls = upTo(10).map((n) =>
        site.store.append(stream, newEvents(1), n === 1 ? 'no-stream' : n - 1),
      );
      expect((await Promise.all(calls)).map(({ version }) => version)).toEqual(upTo(10));
    });
  });
}
