import { randomUUID } from 'node:crypto';

import {
  type EventStore,
  type EventToAppend,
  type ExpectedVersion,
  type Position,
  type StoredEvent,
  AppendTooLargeError,
  InvalidAppendError,
  OutcomeUnknownError,
  StoreUnavailableError,
  VersionConflictError,
  encodedSize,
  maxAppendBytes,
} from '#event-sourcing';

export type EventStoreFixture = Readonly<{
  store: EventStore;
  /** A second way into the same log, as another process has it. */
  rival: EventStore;
  /** Makes the log stop answering until the returned function is called. */
  freeze: () => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}>;

/** Where adapters honestly differ. */
export type EventStoreFlags = Readonly<{
  /** Positions count events, so that lag is exact. */
  countsEvents: boolean;
  /** Nothing can come between call and answer: there is no deadline to miss. */
  answersAtOnce: boolean;
}>;

/** Every promise of the port, for every adapter; the log may be shared with other writers between tests. */
export function eventStoreContract(
  name: string,
  openFixture: () => Promise<EventStoreFixture>,
  flags: EventStoreFlags,
): void {
  describe(`${name} keeps the promises of the EventStore port`, () => {
    let fixture: EventStoreFixture;
    let store: EventStore;

    beforeAll(async () => {
      fixture = await openFixture();
      store = fixture.store;
    }, 60_000);

    afterAll(() => fixture.close());

    async function streamOf(count: number): Promise<string> {
      const stream = newStream();
      if (count > 0) await store.append(stream, newEvents(count), 'no-stream');
      return stream;
    }

    async function stored(stream: string): Promise<StoredEvent[]> {
      return store.readStream(stream, { limit: 10_000 });
    }

    describe('expected versions', () => {
      const accepted: [string, number, ExpectedVersion][] = [
        ['any of an absent stream', 0, 'any'],
        ['any of an existing stream', 2, 'any'],
        ['no-stream of an absent stream', 0, 'no-stream'],
        ['stream-exists of an existing stream', 2, 'stream-exists'],
        ['the exact version', 2, 2],
      ];

      test.each(accepted)('accepts %s', async (_, count, expected) => {
        const stream = await streamOf(count);
        const result = await store.append(stream, newEvents(2), expected);
        expect(result.version).toBe(count + 2);
        expect((await stored(stream)).map(({ version }) => version)).toEqual(upTo(count + 2));
      });

      const refused: [string, number, ExpectedVersion][] = [
        ['no-stream of an existing stream', 2, 'no-stream'],
        ['stream-exists of an absent stream', 0, 'stream-exists'],
        ['an exact version of an absent stream', 0, 1],
        ['an exact version ahead of the stream', 2, 3],
        ['an exact version behind the stream', 2, 1],
      ];

      test.each(refused)('refuses %s and stores nothing', async (_, count, expected) => {
        const stream = await streamOf(count);
        const refusal = await failure(store.append(stream, newEvents(2), expected));
        expect(refusal).toBeInstanceOf(VersionConflictError);
        expect(refusal).toMatchObject({ stream, expected, actual: count });
        expect(await stored(stream)).toHaveLength(count);
      });

      test('refuses a version no stream can have', async () => {
        const stream = await streamOf(1);
        for (const expected of [0, -1, 1.5, Number.NaN])
          expect(await failure(store.append(stream, newEvents(1), expected))).toBeInstanceOf(
            InvalidAppendError,
          );
        expect(await stored(stream)).toHaveLength(1);
      });

      const races: [string, number, ExpectedVersion][] = [
        ['the same exact version', 1, 1],
        ['no-stream', 0, 'no-stream'],
      ];

      test.each(races)(
        'lets exactly one of racing writers of %s win',
        async (_, count, expected) => {
          const stream = await streamOf(count);
          const attempts = upTo(20).map((n) =>
            (n % 2 ? store : fixture.rival).append(stream, newEvents(1), expected),
          );
          const outcomes = await Promise.allSettled(attempts);
          const lost = outcomes.filter(({ status }) => status === 'rejected');
          expect(lost).toHaveLength(19);
          for (const outcome of lost)
            expect(outcome).toMatchObject({ reason: expect.any(VersionConflictError) });
          expect(await stored(stream)).toHaveLength(count + 1);
        },
      );

      const crowds: [string, number, ExpectedVersion][] = [
        ['any', 0, 'any'],
        ['stream-exists', 1, 'stream-exists'],
      ];

      test.each(crowds)(
        'stores the events of all racing writers of %s',
        async (_, count, expected) => {
          const stream = await streamOf(count);
          const batches = upTo(20).map(() => newEvents(2));
          await Promise.all(
            batches.map((batch, n) =>
              (n % 2 ? store : fixture.rival).append(stream, batch, expected),
            ),
          );
          const all = await stored(stream);
          expect(all.map(({ version }) => version)).toEqual(upTo(count + 40));
          for (const batch of batches) expectContiguous(all, batch);
        },
      );

      test('carries out appends that were called one after another in that order', async () => {
        const stream = newStream();
        const calls = upTo(10).map((n) =>
          store.append(stream, newEvents(1), n === 1 ? 'no-stream' : n - 1),
        );
        expect((await Promise.all(calls)).map(({ version }) => version)).toEqual(upTo(10));
      });
    });

    describe('repeating an append', () => {
      test('answers as the first time', async () => {
        for (const expected of ['no-stream', 3] as const) {
          const stream = await streamOf(expected === 3 ? 3 : 0);
          const batch = newEvents(3);
          const first = await store.append(stream, batch, expected);
          expect(await store.append(stream, batch, expected)).toEqual(first);
          expect(await fixture.rival.append(stream, batch, expected)).toEqual(first);
          expect(await stored(stream)).toHaveLength(first.version);
        }
      });

      test('answers as the first time after a thousand other events', async () => {
        const stream = newStream();
        const batch = newEvents(2);
        const first = await store.append(stream, batch, 'no-stream');
        for (let version = 2; version < 1_002; version += 250)
          await store.append(stream, newEvents(250), version);
        expect(await store.append(stream, batch, 'no-stream')).toEqual(first);
        expect(await stored(stream)).toHaveLength(1_002);
      });

      test('answers all of those who repeat at once', async () => {
        const stream = newStream();
        const batch = newEvents(2);
        const answers = await Promise.all(
          upTo(10).map((n) => (n % 2 ? store : fixture.rival).append(stream, batch, 'no-stream')),
        );
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
        expect(await stored(stream)).toHaveLength(2);
      });

      test('succeeds with the first events of a longer append', async () => {
        const stream = newStream();
        const batch = newEvents(3);
        await store.append(stream, batch, 'no-stream');
        const [, second] = await stored(stream);
        expect(await store.append(stream, batch.slice(0, 2), 'no-stream')).toEqual({
          version: 2,
          position: second?.position,
        });
      });

      test('conflicts where a later event differs', async () => {
        const stream = newStream();
        const batch = newEvents(3);
        await store.append(stream, batch, 'no-stream');
        const changed = [...batch.slice(0, 2), ...newEvents(1)];
        expect(await failure(store.append(stream, changed, 'no-stream'))).toMatchObject({
          actual: 3,
        });
      });

      test('conflicts where a later event is missing', async () => {
        const stream = newStream();
        const batch = newEvents(3);
        await store.append(stream, batch.slice(0, 2), 'no-stream');
        expect(await failure(store.append(stream, batch, 'no-stream'))).toBeInstanceOf(
          VersionConflictError,
        );
        expect(await stored(stream)).toHaveLength(2);
      });

      test('conflicts at another expected version', async () => {
        const stream = await streamOf(1);
        const batch = newEvents(1);
        await store.append(stream, batch, 1);
        await store.append(stream, newEvents(1), 2);
        expect(await failure(store.append(stream, batch, 'no-stream'))).toBeInstanceOf(
          VersionConflictError,
        );
      });

      test('stores again at the head: ids are not unique within a stream', async () => {
        const stream = newStream();
        const [event] = newEvents(1);
        if (!event) throw new Error('one event was asked for');
        await store.append(stream, [event, event], 'no-stream');
        expect((await store.append(stream, [event], 2)).version).toBe(3);
        expect(await stored(stream)).toHaveLength(3);
      });

      test('stores the same ids in another stream', async () => {
        const batch = newEvents(2);
        const [left, right] = [newStream(), newStream()];
        await store.append(left, batch, 'no-stream');
        await store.append(right, batch, 'no-stream');
        expect(ids(await stored(right))).toEqual(ids(batch));
      });
    });

    describe('an append', () => {
      test('stores its events contiguously in stream and log, ending at its answer', async () => {
        const before = await store.head();
        const stream = newStream();
        const noise = upTo(20).map(() =>
          fixture.rival.append(newStream(), newEvents(3), 'no-stream'),
        );
        const batch = newEvents(5);
        const result = await store.append(stream, batch, 'no-stream');
        await Promise.all(noise);
        const log = await readLog(store, before);
        expectContiguous(log, batch);
        expect(log.find(({ eventId }) => eventId === batch[4]?.eventId)).toMatchObject(result);
      });

      test('is readable as soon as it is answered', async () => {
        const stream = newStream();
        for (let version = 0; version < 10; version++) {
          await store.append(stream, newEvents(1), version || 'no-stream');
          expect(await fixture.rival.readStream(stream, { limit: 99 })).toHaveLength(version + 1);
        }
      });

      test('of no events is refused', async () => {
        const stream = newStream();
        expect(await failure(store.append(stream, [], 'no-stream'))).toBeInstanceOf(
          InvalidAppendError,
        );
      });

      test('of exactly the limit is stored, of one byte more refused with nothing stored', async () => {
        const stream = newStream();
        const [small, filler] = newEvents(2);
        if (!small || !filler) throw new Error('two events were asked for');
        const room = maxAppendBytes - encodedSize(small) - encodedSize({ ...filler, data: '' }) - 2;
        const large = { ...filler, data: `"${'é'.repeat(room >> 1)}${'e'.repeat(room & 1)}"` };
        const larger = { ...large, data: `"${'e'.repeat(room + 1)}"` };
        const refusal = await failure(store.append(stream, [small, larger], 'no-stream'));
        expect(refusal).toBeInstanceOf(AppendTooLargeError);
        expect(refusal).toMatchObject({ bytes: maxAppendBytes + 1, limit: maxAppendBytes });
        expect(await stored(stream)).toEqual([]);
        await store.append(stream, [small, large], 'no-stream');
        expect((await stored(stream))[1]?.data).toBe(large.data);
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

      test.each(unstorable)('with %s is refused with nothing stored', async (_, fault) => {
        const stream = newStream();
        const [first, second] = newEvents(2);
        if (!first || !second) throw new Error('two events were asked for');
        const faulty = [first, { ...second, ...fault }];
        expect(await failure(store.append(stream, faulty, 'no-stream'))).toBeInstanceOf(
          InvalidAppendError,
        );
        expect(await stored(stream)).toEqual([]);
      });

      test.each([
        ['without a name', ''],
        ['named like those of the server', '$$settings'],
        ['with NUL in its name', 'a\0b'],
        ['with a lone surrogate in its name', '\udfff'],
        ['with a name of 513 characters', 'x'.repeat(513)],
      ])('to a stream %s is refused', async (_, stream) => {
        expect(await failure(store.append(stream, newEvents(1), 'no-stream'))).toBeInstanceOf(
          InvalidAppendError,
        );
      });

      test('that fails leaves its neighbours alone', async () => {
        const taken = await streamOf(1);
        const free = upTo(10).map(newStream);
        const outcomes = await Promise.allSettled([
          ...free.slice(0, 5).map((stream) => store.append(stream, newEvents(1), 'no-stream')),
          store.append(taken, newEvents(1), 'no-stream'),
          ...free.slice(5).map((stream) => store.append(stream, newEvents(1), 'no-stream')),
        ]);
        expect(outcomes.map(({ status }) => status).filter((s) => s === 'rejected')).toHaveLength(
          1,
        );
        for (const stream of free) expect(await stored(stream)).toHaveLength(1);
      });

      test('keeps data, metadata, type and stream name as they were, byte for byte', async () => {
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
        await store.append(stream, batch, 'no-stream');
        const back = (await stored(stream)).map(({ eventId, type, data, metadata }) => ({
          ...{ eventId, type, data, metadata },
        }));
        expect(back).toEqual(batch);
        expect((await stored(stream)).every((event) => event.stream === stream)).toBe(true);
      });
    });

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
        const stream = await streamOf(5);
        const found = await store.readStream(stream, read);
        expect(found.map(({ version }) => version)).toEqual(versions);
      });

      test('that is absent gives nothing', async () => {
        expect(await store.readStream(newStream(), { limit: 1 })).toEqual([]);
        expect(await store.readStream(newStream(), { limit: 1, direction: 'backwards' })).toEqual(
          [],
        );
      });

      test.each([0, -1, 1.5, Number.NaN])('refuses the limit %p', async (limit) => {
        expect(await failure(store.readStream(newStream(), { limit }))).toBeInstanceOf(RangeError);
      });
    });

    describe('reading the log', () => {
      test('begins behind the position and keeps the order of the log', async () => {
        const before = await store.head();
        const streams = [newStream(), newStream()];
        for (const stream of streams) await store.append(stream, newEvents(2), 'no-stream');
        for (const stream of streams) await store.append(stream, newEvents(1), 2);
        const log = await readLog(store, before);
        expect(log.map(({ stream, version }) => [streams.indexOf(stream), version])).toEqual([
          ...[[0, 1], [0, 2], [1, 1], [1, 2]], // prettier-ignore
          ...[[0, 3], [1, 3]], // prettier-ignore
        ]);
        const third = log[2];
        if (!third) throw new Error('six events were stored');
        expect(await store.readAll({ after: third.position, limit: 2 })).toEqual(log.slice(3, 5));
      });

      test('gives what reading the stream gives', async () => {
        const before = await store.head();
        const stream = await streamOf(3);
        expect(await readLog(store, before)).toEqual(await stored(stream));
      });

      test('orders positions by comparePositions', async () => {
        const before = await store.head();
        await streamOf(12);
        const positions = (await readLog(store, before)).map(({ position }) => position);
        const ordered = [...positions].sort(() => -1).sort((a, b) => store.comparePositions(a, b));
        expect(ordered).toEqual(positions);
        const [first, second] = positions;
        if (!first || !second) throw new Error('twelve events were stored');
        expect(Math.sign(store.comparePositions(second, first))).toBe(1);
        expect(Math.sign(store.comparePositions('start', first))).toBe(-1);
        expect(store.comparePositions(first, first)).toBe(0);
        expect(store.comparePositions('start', 'start')).toBe(0);
      });

      test('ends at the head', async () => {
        const { position } = await store.append(newStream(), newEvents(2), 'no-stream');
        expect(await store.head()).toBe(position);
        expect(await fixture.rival.head()).toBe(position);
        expect(await store.readAll({ after: position, limit: 10 })).toEqual([]);
      });

      test('counts the events between positions where positions count events', async () => {
        const before = await store.head();
        const { position } = await store.append(newStream(), newEvents(7), 'no-stream');
        expect(store.countBetween(before, position)).toBe(flags.countsEvents ? 7 : undefined);
        expect(store.countBetween(position, position)).toBe(flags.countsEvents ? 0 : undefined);
      });

      test('refuses a limit below one', async () => {
        expect(await failure(store.readAll({ after: 'start', limit: 0 }))).toBeInstanceOf(
          RangeError,
        );
      });

      test('refuses what is no position', async () => {
        // A position of another adapter can reach a store from a checkpoint, past the types.
        const foreign = 'C:1/P:1' as Position;
        expect(await failure(store.readAll({ after: foreign, limit: 1 }))).toBeInstanceOf(
          RangeError,
        );
      });

      test('names the same log however it is reached', async () => {
        const identity = await store.identity();
        expect(identity).not.toBe('');
        expect(await fixture.rival.identity()).toBe(identity);
      });
    });

    describe('a subscription', () => {
      test('gives history first, then what is appended, in order', async () => {
        const before = await store.head();
        const history = newEvents(5);
        const live = newEvents(7);
        const stream = newStream();
        await store.append(stream, history, 'no-stream');
        const seen: StoredEvent[] = [];
        await follow(store, { after: before, batchSize: 2 }, async (batch) => {
          expect(batch.length).toBeLessThanOrEqual(2);
          seen.push(...batch);
          if (seen.length === 5) await fixture.rival.append(stream, live, 5);
          return seen.length < 12;
        });
        expect(ids(seen)).toEqual(ids([...history, ...live]));
        expect(seen).toEqual(await stored(stream));
      });

      test('waits for the first event behind the head', async () => {
        const before = await store.head();
        const following = collect(store, before, 1);
        const batch = newEvents(1);
        await fixture.rival.append(newStream(), batch, 'no-stream');
        expect(ids(await following)).toEqual(ids(batch));
      });

      test('resumes behind the position it had come to', async () => {
        const before = await store.head();
        const stream = await streamOf(6);
        const first = await collect(store, before, 3);
        const last = first[2];
        if (!last) throw new Error('three events were collected');
        const rest = await collect(fixture.rival, last.position, 3);
        expect([...first.slice(0, 3), ...rest]).toEqual(await stored(stream));
      });

      test('delivers each event of many writers once, each stream in order', async () => {
        const before = await store.head();
        const streams = upTo(10).map(newStream);
        const following = Promise.all([collect(store, before, 400), collect(store, before, 400)]);
        await Promise.all(
          streams.map(async (stream, n) => {
            for (let version = 0; version < 40; version += 2)
              await (n % 2 ? store : fixture.rival).append(
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

      test('ends by its signal, while it waits and before it begins', async () => {
        const ended = new AbortController();
        const waiting = (async () => {
          const after = await store.head();
          await Array.fromAsync(store.subscribeAll({ after, batchSize: 10, signal: ended.signal }));
          return 'ended';
        })();
        ended.abort();
        expect(await waiting).toBe('ended');
        const late = store.subscribeAll({ after: 'start', batchSize: 10, signal: ended.signal });
        expect(await Array.fromAsync(late)).toEqual([]);
      });
    });

    describe('signals and deadlines', () => {
      const calls: [
        string,
        (target: EventStore, options: object, stream: string) => Promise<unknown>,
      ][] = [
        [
          'append',
          (target, options, stream) => target.append(stream, newEvents(1), 'no-stream', options),
        ],
        [
          'readStream',
          (target, options, stream) => target.readStream(stream, { limit: 1 }, options),
        ],
        ['readAll', (target, options) => target.readAll({ after: 'start', limit: 1 }, options)],
        ['head', (target, options) => target.head(options)],
        ['identity', (target, options) => target.identity(options)],
      ];

      test.each(calls)('%s with an aborted signal throws its reason', async (_, call) => {
        const stream = newStream();
        const reason = new Error('no longer wanted');
        const signal = AbortSignal.abort(reason);
        expect(await failure(call(store, { signal }, stream))).toBe(reason);
        expect(await stored(stream)).toEqual([]);
      });

      test.each(calls)(
        '%s answers within a signal and a deadline that do not come',
        async (_, call) => {
          const { signal } = new AbortController();
          await expect(
            call(store, { signal, timeoutMs: 30_000 }, newStream()),
          ).resolves.toBeDefined();
        },
      );

      if (flags.answersAtOnce) {
        test.each(calls)('%s answers at once whatever the deadline', async (_, call) => {
          await expect(call(store, { timeoutMs: 1 }, newStream())).resolves.toBeDefined();
        });
        return;
      }

      test.each(calls)(
        '%s of a store that does not answer ends at its deadline',
        async (call, run) => {
          const thaw = await fixture.freeze();
          try {
            const error = await failure(run(store, { timeoutMs: 100 }, newStream()));
            expect(error).toBeInstanceOf(
              call === 'append' ? OutcomeUnknownError : StoreUnavailableError,
            );
          } finally {
            await thaw();
          }
        },
      );

      test.each(calls)('%s of a store that does not answer ends by its signal', async (_, run) => {
        const thaw = await fixture.freeze();
        try {
          const controller = new AbortController();
          const reason = new Error('no longer wanted');
          const running = failure(run(store, { signal: controller.signal }, newStream()));
          controller.abort(reason);
          expect(await running).toBe(reason);
        } finally {
          await thaw();
        }
      });

      test('an append without an outcome is repeated to learn it', async () => {
        const stream = newStream();
        const batch = newEvents(2);
        const thaw = await fixture.freeze();
        const unknown = await failure(store.append(stream, batch, 'no-stream', { timeoutMs: 100 }));
        await thaw();
        expect(unknown).toBeInstanceOf(OutcomeUnknownError);
        expect((await store.append(stream, batch, 'no-stream')).version).toBe(2);
        expect(ids(await stored(stream))).toEqual(ids(batch));
      });
    });
  });
}

/** A stream nobody has written to. */
export function newStream(label: unknown = 'contract'): string {
  return `${typeof label === 'string' ? label : 'contract'}-${randomUUID()}`;
}

/** New events with ids of their own. */
export function newEvents(count: number): EventToAppend[] {
  return upTo(count).map((n) => ({
    eventId: randomUUID(),
    type: 'Happened',
    data: JSON.stringify({ n }),
    metadata: '{}',
  }));
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The next `count` events or a few more, as a subscriber gets them. */
export async function collect(
  store: EventStore,
  after: Position | 'start',
  count: number,
): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  await follow(store, { after, batchSize: 100 }, async (batch) => {
    seen.push(...batch);
    return seen.length < count;
  });
  return seen;
}

async function follow(
  store: EventStore,
  from: { after: Position | 'start'; batchSize: number },
  each: (batch: readonly StoredEvent[]) => Promise<boolean>,
): Promise<void> {
  const ended = new AbortController();
  try {
    for await (const batch of store.subscribeAll({ ...from, signal: ended.signal }))
      if (!(await each(batch))) return;
  } finally {
    ended.abort();
  }
}

async function readLog(store: EventStore, after: Position | 'start'): Promise<StoredEvent[]> {
  return store.readAll({ after, limit: 10_000 });
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

function ids(stored: readonly { eventId: string }[]): string[] {
  return stored.map(({ eventId }) => eventId);
}

function expectContiguous(log: readonly StoredEvent[], batch: readonly EventToAppend[]): void {
  const start = log.findIndex(({ eventId }) => eventId === batch[0]?.eventId);
  expect(ids(log.slice(start, start + batch.length))).toEqual(ids(batch));
}
