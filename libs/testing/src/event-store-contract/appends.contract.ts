import { randomUUID } from 'node:crypto';

import {
  type EventToAppend,
  AppendTooLargeError,
  InvalidAppendError,
  encodedSize,
  maxAppendBytes,
} from '#event-sourcing';

import { type ContractSite } from './contract-site.js';
import { newStream, newEvents, upTo, readLog, failure, expectContiguous } from './stored-events.js';

export function appends(site: ContractSite): void {
  describe('an append', () => {
    test('stores its events contiguously in the stream and in the log, up to the returned position', async () => {
      const before = await site.store.head();
      const stream = newStream();
      const noise = upTo(20).map(() =>
        site.fixture.rival.append(newStream(), newEvents(3), 'no-stream'),
      );
      const batch = newEvents(5);
      const result = await site.store.append(stream, batch, 'no-stream');
      await Promise.all(noise);
      const log = await readLog(site.store, before);
      expectContiguous(log, batch);
      const { version, position } = result;
      const last = log.find(({ eventId }) => eventId === batch[4]?.eventId);
      expect(last).toMatchObject({ version, position });
    });

    test('is readable as soon as it has returned', async () => {
      const stream = newStream();
      for (let version = 0; version < 10; version++) {
        await site.store.append(stream, newEvents(1), version || 'no-stream');
        expect(await site.fixture.rival.readStream(stream, { limit: 99 })).toHaveLength(
          version + 1,
        );
      }
    });

    test('without events is rejected', async () => {
      const stream = newStream();
      expect(await failure(site.store.append(stream, [], 'no-stream'))).toBeInstanceOf(
        InvalidAppendError,
      );
    });

    test('of exactly the limit is stored, and one more byte is rejected and nothing is stored', async () => {
      const stream = newStream();
      const [small, filler] = newEvents(2);
      if (!small || !filler) throw new Error('two events were not created');
      const room = maxAppendBytes - encodedSize(small) - encodedSize({ ...filler, data: '' }) - 2;
      const large = { ...filler, data: `"${'é'.repeat(room >> 1)}${'e'.repeat(room & 1)}"` };
      const larger = { ...large, data: `"${'e'.repeat(room + 1)}"` };
      const refusal = await failure(site.store.append(stream, [small, larger], 'no-stream'));
      expect(refusal).toBeInstanceOf(AppendTooLargeError);
      expect(refusal).toMatchObject({ bytes: maxAppendBytes + 1, limit: maxAppendBytes });
      expect(await site.stored(stream)).toEqual([]);
      await site.store.append(stream, [small, large], 'no-stream');
      expect((await site.stored(stream))[1]?.data).toBe(large.data);
    });

    const unstorable: [string, Partial<EventToAppend>][] = [
      ['an id that is no UUID', { eventId: 'event-1' }],
      ['the nil UUID', { eventId: '00000000-0000-0000-0000-000000000000' }],
      ['an id in upper case', { eventId: randomUUID().toUpperCase() }],
      ['an empty type', { type: '' }],
      ['a raw NUL in data', { data: '"\0"' }],
      ['a raw lone surrogate in data', { data: '"\ud800"' }],
      ['a raw NUL in metadata', { metadata: '"\0"' }],
      ['empty data', { data: '' }],
    ];

    test.each(unstorable)('with %s is rejected and stores nothing', async (_, fault) => {
      const stream = newStream();
      const [first, second] = newEvents(2);
      if (!first || !second) throw new Error('two events were not created');
      const faulty = [first, { ...second, ...fault }];
      expect(await failure(site.store.append(stream, faulty, 'no-stream'))).toBeInstanceOf(
        InvalidAppendError,
      );
      expect(await site.stored(stream)).toEqual([]);
    });

    test.each([
      ['without a name', ''],
      ['named like those of the server', '$$settings'],
      ['with NUL in its name', 'a\0b'],
      ['with a lone surrogate in its name', '\udfff'],
      ['with a name of 513 characters', 'x'.repeat(513)],
    ])('to a stream %s is refused', async (_, stream) => {
      expect(await failure(site.store.append(stream, newEvents(1), 'no-stream'))).toBeInstanceOf(
        InvalidAppendError,
      );
    });

    test('that fails does not affect the appends next to it', async () => {
      const taken = await site.streamOf(1);
      const free = upTo(10).map(newStream);
      const outcomes = await Promise.allSettled([
        ...free.slice(0, 5).map((stream) => site.store.append(stream, newEvents(1), 'no-stream')),
        site.store.append(taken, newEvents(1), 'no-stream'),
        ...free.slice(5).map((stream) => site.store.append(stream, newEvents(1), 'no-stream')),
      ]);
      expect(outcomes.map(({ status }) => status).filter((s) => s === 'rejected')).toHaveLength(1);
      for (const stream of free) expect(await site.stored(stream)).toHaveLength(1);
    });

    test('preserves data, metadata, type and stream name byte for byte', async () => {
      const stream = newStream('Ünï/ stream%2F "quoted" \\ {a,b} 流 🦉');
      const texts = [
        '{"b":1,"a":2,"b":3}',
        '{"n":12345678901234567890.123456789012345678901234567890e+0}',
        '"\\u0000 \\ud800 \\uDFFF \\u00e9 é \u2028 🦉 \u007f"',
        ' [ 1.0 , 1e2 ,\n\t-0 ] ',
        '{"":{"__proto__":[null,true,false]}}',
        '"{},\\"\\\\,NULL"',
        'null',
      ];
      const batch = texts.map((data, index) => ({
        eventId: randomUUID(),
        type: 'Täst "Hàppened", \\ NULL',
        data,
        metadata: texts[texts.length - 1 - index] ?? 'null',
      }));
      await site.store.append(stream, batch, 'no-stream');
      const back = (await site.stored(stream)).map(({ eventId, type, data, metadata }) => ({
        eventId,
        type,
        data,
        metadata,
      }));
      expect(back).toEqual(batch);
      expect((await site.stored(stream)).every((event) => event.stream === stream)).toBe(true);
    });
  });
}
