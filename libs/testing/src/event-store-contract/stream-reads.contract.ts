import { type EventStore } from '#event-sourcing';

import { type ContractSite } from './contract-site.js';
import { newStream, failure } from './stored-events.js';

export function streamReads(site: ContractSite): void {
  describe('reading a stream', () => {
    const reads: [string, Parameters<EventStore['readStream']>[1], number[]][] = [
      ['forwards from its beginning', { limit: 10 }, [1, 2, 3, 4, 5]],
      ['forwards from a version, inclusive', { from: 3, limit: 10 }, [3, 4, 5]],
      ['forwards from its newest', { from: 5, limit: 10 }, [5]],
      ['forwards from behind its end', { from: 6, limit: 10 }, []],
      ['forwards from version 0', { from: 0, limit: 2 }, [1, 2]],
      ['forwards up to the limit', { from: 2, limit: 3 }, [2, 3, 4]],
      ['backwards from its newest', { direction: 'backwards', limit: 10 }, [5, 4, 3, 2, 1]],
      [
        'backwards from a version, inclusive',
        { direction: 'backwards', from: 3, limit: 10 },
        [3, 2, 1],
      ],
      ['backwards from behind its end', { direction: 'backwards', from: 9, limit: 2 }, [5, 4]],
      ['backwards up to the limit', { direction: 'backwards', limit: 2 }, [5, 4]],
      ['backwards from version 0', { direction: 'backwards', from: 0, limit: 2 }, []],
    ];

    test.each(reads)('%s', async (_, read, versions) => {
      const stream = await site.streamOf(5);
      const found = await site.store.readStream(stream, read);
      expect(found.map(({ version }) => version)).toEqual(versions);
    });

    test('that does not exist returns no events', async () => {
      expect(await site.store.readStream(newStream(), { limit: 1 })).toEqual([]);
      expect(
        await site.store.readStream(newStream(), { limit: 1, direction: 'backwards' }),
      ).toEqual([]);
    });

    test.each([0, -1, 1.5, Number.NaN])('rejects the limit %p', async (limit) => {
      expect(await failure(site.store.readStream(newStream(), { limit }))).toBeInstanceOf(
        RangeError,
      );
    });
  });
}
