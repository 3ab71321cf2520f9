import { randomUUID } from 'node:crypto';

import {
  type AppendResult,
  type JSONEventData,
  type JSONEventType,
  ErrorType,
  type EventStoreDBClient,
  type Position,
  binaryEvent,
  jsonEvent,
  streamNameFilter,
} from '@eventstore/db-client';

import { type TestKurrentDb, openTestKurrentDb } from './test-kurrentdb.js';
import {
  collectEvents,
  connect,
  connectUnbatched,
  followAll,
  followStream,
  newRevisions,
  outcomeOf,
} from './test-kurrentdb.client.js';
import { waitFor } from './wait-for.js';

// The behavior of KurrentDB that the event store relies on: tested against the stand-in, or against the server of
// EVENTSTORE_URL with an account that may read $all.

let server: TestKurrentDb;
let batching: EventStoreDBClient;
let unbatched: EventStoreDBClient;
beforeAll(async () => {
  server = await openTestKurrentDb();
  batching = connect(server.connectionString);
  unbatched = connectUnbatched(server.connectionString);
});
afterAll(async () => {
  await batching.dispose();
  await unbatched.dispose();
  await server.close();
});

type TestEvent = JSONEventType<'happened', { n: number }>;
type ExpectedRevision = bigint | 'any' | 'no_stream' | 'stream_exists';

function happened(n: number, id: string = randomUUID()): JSONEventData<TestEvent> {
  return jsonEvent<TestEvent>({ id, type: 'happened', data: { n } });
}

function newStream(): string {
  return `${server.namespace()}-a`;
}

const events = (count: number) => Array.from({ length: count }, (_, n) => happened(n));

/** The history of a stream; all streams but the first two have had revisions 0 to 2. */
const states = {
  missing: async () => undefined,
  'metadata only': async (stream) => {
    await batching.setStreamMetadata(stream, { maxCount: 100 });
  },
  'three events': async (stream) => {
    await batching.appendToStream(stream, events(3));
  },
  'soft-deleted': async (stream) => {
    await batching.appendToStream(stream, events(3));
    await batching.deleteStream(stream);
  },
  tombstoned: async (stream) => {
    await batching.appendToStream(stream, events(3));
    await batching.tombstoneStream(stream);
  },
} satisfies Record<string, (stream: string) => Promise<void>>;

type State = keyof typeof states;

const none = 'wrong-expected-version, actual no_stream';
const two = 'wrong-expected-version, actual 2';
const deleted = 'stream-deleted';

/** The outcome of an append of one event. */
const decisions: readonly (readonly [State, ExpectedRevision, string])[] = [
  ['missing', 'any', 'revision 0'],
  ['missing', 'no_stream', 'revision 0'],
  ['missing', 'stream_exists', none],
  ['missing', 0n, none],
  ['metadata only', 'any', 'revision 0'],
  ['metadata only', 'no_stream', 'revision 0'],
  ['metadata only', 'stream_exists', 'revision 0'],
  ['metadata only', 0n, none],
  ['three events', 'any', 'revision 3'],
  ['three events', 'stream_exists', 'revision 3'],
  ['three events', 'no_stream', two],
  ['three events', 1n, two],
  ['three events', 2n, 'revision 3'],
  ['three events', 3n, two],
  ['soft-deleted', 'any', 'revision 3'],
  ['soft-deleted', 'no_stream', 'revision 3'],
  ['soft-deleted', 'stream_exists', deleted],
  ['soft-deleted', 1n, two],
  ['soft-deleted', 2n, 'revision 3'],
  ['soft-deleted', 3n, two],
  ['tombstoned', 'any', deleted],
  ['tombstoned', 'no_stream', deleted],
  ['tombstoned', 'stream_exists', deleted],
  ['tombstoned', 2n, deleted],
  ['tombstoned', 2n ** 63n - 1n, deleted],
];

describe.each([
  ['a batched append', () => batching, () => connect(server.connectionString)],
  [
    'an append in a separate call',
    () => unbatched,
    () => connectUnbatched(server.connectionString),
  ],
])('%s', (_, client, connectAs) => {
  const append = (
    stream: string,
    expectedRevision: ExpectedRevision,
    appended: JSONEventData<TestEvent>[],
  ): Promise<AppendResult> => client().appendToStream(stream, appended, { expectedRevision });

  it.each(decisions)(
    'to a stream %s, expecting %s, results in %s',
    async (state, expected, outcome) => {
      const stream = newStream();
      await states[state](stream);
      expect(await outcomeOf(append(stream, expected, [happened(9)]))).toBe(outcome);
    },
  );

  it('returns the position of the last event of the write', async () => {
    const stream = newStream();
    const { position } = await append(stream, 'no_stream', events(3));
    const [, , last] = await collectEvents(client().readStream(stream));
    expect(position).toEqual(last?.position);
    expect(position?.commit).toBe(position?.prepare);
  });

  it('that is repeated with an exact revision returns its original revision and position', async () => {
    const stream = newStream();
    const first = events(3);
    const original = await append(stream, 'no_stream', first);
    await append(stream, 2n, [happened(3)]);
    expect(await append(stream, 'no_stream', first)).toEqual(original);
    const [, second] = await collectEvents(client().readStream(stream));
    const prefix = await append(stream, 'no_stream', first.slice(0, 2));
    expect(prefix).toMatchObject({ nextExpectedRevision: 1n, position: second?.position });
    expect(await newRevisions(client(), stream)).toEqual([0n, 1n, 2n, 3n]);
  });

  it('with an exact revision and other ids, or more of them, is a conflict', async () => {
    const stream = newStream();
    const first = events(2);
    await append(stream, 'no_stream', first);
    const conflict = 'wrong-expected-version, actual 1';
    expect(await outcomeOf(append(stream, 'no_stream', [happened(0)]))).toBe(conflict);
    expect(await outcomeOf(append(stream, 'no_stream', [...first, happened(2)]))).toBe(conflict);
    expect(await outcomeOf(append(stream, 'no_stream', [...first].reverse()))).toBe(conflict);
    expect(await newRevisions(client(), stream)).toEqual([0n, 1n]);
  });

  it('to a deleted stream is still a conflict if it begins with the old events', async () => {
    const stream = newStream();
    const first = events(2);
    await append(stream, 'no_stream', first);
    await client().deleteStream(stream);
    const begun = append(stream, 'no_stream', [...first.slice(0, 1), happened(9)]);
    expect(await outcomeOf(begun)).toBe('wrong-expected-version, actual 1');
    const repeated = await append(stream, 'no_stream', first);
    expect(repeated).toMatchObject({ nextExpectedRevision: 1n, position: undefined });
    await expect(newRevisions(client(), stream)).rejects.toMatchObject({
      type: 'stream-not-found',
    });
  });

  it('at the current revision is written, regardless of its ids', async () => {
    const stream = newStream();
    const same = happened(0);
    await append(stream, 'no_stream', [same, same]);
    await append(stream, 1n, [same]);
    const ids = (await collectEvents(client().readStream(stream))).map(({ id }) => id);
    expect(ids).toEqual([same.id, same.id, same.id]);
  });

  it('to any revision recognizes ids that were written a moment ago', async () => {
    const stream = newStream();
    const first = events(2);
    const original = await append(stream, 'any', first);
    await append(stream, 'any', [happened(2)]);
    expect(await append(stream, 'any', first)).toEqual(original);
    const mixed = append(stream, 'stream_exists', [...first, happened(3)]);
    expect(await outcomeOf(mixed)).toBe('wrong-expected-version, actual 2');
    const [known] = first;
    expect(await outcomeOf(append(stream, 'any', [happened(3), ...(known ? [known] : [])]))).toBe(
      'revision 4',
    );
  });

  it.each<[string, Partial<JSONEventData>, string | undefined]>([
    ['an id that is none', { id: 'x' }, undefined],
    ['a nil id', { id: '00000000-0000-0000-0000-000000000000' }, undefined],
    ['no type', { type: '' }, undefined],
    ['no stream', {}, ''],
  ])('rejects %s, and nothing is written', async (_title, wrong, name) => {
    const stream = name ?? newStream();
    const appended = [happened(0), { ...happened(1), ...wrong }];
    // Streams.BatchAppend.cs: a rejected batch receives a second response at its deadline, which the client does not
    // expect.
    const leaving = connectAs();
    expect(await outcomeOf(leaving.appendToStream(stream, appended))).toBe('unknown');
    await leaving.dispose();
    if (name === undefined)
      await expect(newRevisions(client(), stream)).rejects.toMatchObject({
        type: 'stream-not-found',
      });
  });

  it('to any revision recognizes an id only in the same stream', async () => {
    const [stream, other] = [newStream(), newStream()];
    const same = happened(0);
    await append(stream, 'any', [same]);
    await append(other, 'any', [same]);
    expect(await newRevisions(client(), other)).toEqual([0n]);
  });

  it('stores bytes and JSON unchanged', async () => {
    const stream = newStream();
    const bytes = Uint8Array.from([0, 255, 10, 123]);
    const json = jsonEvent({ type: 'j', data: { ö: [1, null, 'x\n'] }, metadata: { m: true } });
    await client().appendToStream(stream, [json, binaryEvent({ type: 'b', data: bytes })]);
    const [first, second] = await collectEvents(client().readStream(stream));
    expect(first).toMatchObject({
      id: json.id,
      type: 'j',
      isJson: true,
      data: json.data,
      metadata: json.metadata,
    });
    expect(Buffer.from(second?.data as Uint8Array)).toEqual(Buffer.from(bytes));
    expect(second).toMatchObject({ type: 'b', isJson: false });
  });
});

it('rejects a batch whose deadline has passed on the clock of the server', async () => {
  const stream = newStream();
  const late = batching.appendToStream(stream, events(1), { deadline: -60_000 });
  expect(await outcomeOf(late)).toBe('deadline-exceeded');
  const read = newRevisions(batching, stream);
  await expect(read).rejects.toMatchObject({ type: 'stream-not-found' });
});

describe('a read of a stream', () => {
  const stream = () => filled;
  let filled: string;
  beforeAll(async () => {
    filled = newStream();
    await batching.appendToStream(filled, events(5));
  });

  it.each([
    ['start', 'forwards', 99, [0n, 1n, 2n, 3n, 4n]],
    ['start', 'forwards', 2, [0n, 1n]],
    [3n, 'forwards', 99, [3n, 4n]],
    [4n, 'forwards', 99, [4n]],
    [5n, 'forwards', 99, []],
    [99n, 'forwards', 99, []],
    ['end', 'backwards', 2, [4n, 3n]],
    [3n, 'backwards', 99, [3n, 2n, 1n, 0n]],
    [0n, 'backwards', 99, [0n]],
    ['start', 'backwards', 99, [0n]],
    [99n, 'backwards', 2, [4n, 3n]],
  ] as const)('from %s %s, at most %s, gives %s', async (from, direction, maxCount, revisions) => {
    const read = batching.readStream(stream(), { fromRevision: from, direction, maxCount });
    expect((await collectEvents(read)).map(({ revision }) => revision)).toEqual(revisions);
  });

  it.each(['missing', 'three events', 'tombstoned'] as const)(
    'forwards from the end of a stream %s is an error',
    async (state) => {
      const read = newStream();
      await states[state](read);
      const forwards = batching.readStream(read, { direction: 'forwards', fromRevision: 'end' });
      await expect(collectEvents(forwards)).rejects.toMatchObject({
        type: 'unknown',
        code: 2,
        message: expect.stringContaining('ReadStreamResult: Error'),
      });
    },
  );

  it.each([
    ['missing', 'stream-not-found'],
    ['metadata only', 'stream-not-found'],
    ['soft-deleted', 'stream-not-found'],
    ['tombstoned', 'stream-deleted'],
  ] as const)('that is %s fails with %s', async (state, type) => {
    const read = newStream();
    await states[state](read);
    await expect(collectEvents(batching.readStream(read))).rejects.toMatchObject({ type });
    const backwards = batching.readStream(read, { direction: 'backwards', fromRevision: 'end' });
    await expect(collectEvents(backwards)).rejects.toMatchObject({ type });
  });

  it('returns no error if all events are truncated', async () => {
    const truncated = newStream();
    await batching.appendToStream(truncated, events(3));
    await batching.setStreamMetadata(truncated, { truncateBefore: 3 });
    expect(await newRevisions(batching, truncated)).toEqual([]);
  });

  it('returns the events that truncation and the maximum count leave, forwards and backwards', async () => {
    const truncated = newStream();
    await batching.appendToStream(truncated, events(6));
    await batching.setStreamMetadata(truncated, { truncateBefore: 2 });
    expect(await newRevisions(batching, truncated)).toEqual([2n, 3n, 4n, 5n]);
    await batching.setStreamMetadata(truncated, { truncateBefore: 2, maxCount: 3 });
    expect(await newRevisions(batching, truncated)).toEqual([3n, 4n, 5n]);
    const backwards = batching.readStream(truncated, { direction: 'backwards', fromRevision: 4n });
    expect((await collectEvents(backwards)).map(({ revision }) => revision)).toEqual([4n, 3n]);
  });

  it('omits events that are too old', async () => {
    const aged = newStream();
    await batching.appendToStream(aged, events(2));
    await batching.setStreamMetadata(aged, { maxAge: 1000 });
    expect(await newRevisions(batching, aged)).toEqual([0n, 1n]);
    await batching.setStreamMetadata(aged, { maxAge: 1 });
    await waitFor('events that have become too old', () => newRevisions(batching, aged), {
      until: ({ length }) => length === 0,
    });
    await batching.appendToStream(aged, events(1));
    await batching.setStreamMetadata(aged, { maxAge: 1000 });
    expect(await newRevisions(batching, aged)).toEqual([0n, 1n, 2n]);
  });

  it('resolves links, or does not', async () => {
    const [links, truncated] = [newStream(), newStream()];
    await batching.appendToStream(truncated, events(2));
    await batching.setStreamMetadata(truncated, { truncateBefore: 1 });
    const data = Buffer.from(`1@${stream()}`);
    await batching.appendToStream(links, [
      binaryEvent({ type: '$>', data }),
      binaryEvent({ type: '$>', data: Buffer.from(`77@${stream()}`) }),
      binaryEvent({ type: '$>', data: Buffer.from(`0@${truncated}`) }),
    ]);
    const resolved = [];
    for await (const { event, link } of batching.readStream(links, { resolveLinkTos: true }))
      resolved.push([event?.streamId, event?.revision, link?.revision]);
    expect(resolved).toEqual([
      [stream(), 1n, 0n],
      [undefined, undefined, 1n],
      [undefined, undefined, 2n],
    ]);
    const [first] = await collectEvents(batching.readStream(links));
    expect(first).toMatchObject({ streamId: links, type: '$>' });
  });
});

describe('a deleted stream', () => {
  it('continues its numbering, and returns only later events', async () => {
    const stream = newStream();
    await states['soft-deleted'](stream);
    expect(await outcomeOf(batching.appendToStream(stream, events(2)))).toBe('revision 4');
    expect(await newRevisions(batching, stream)).toEqual([3n, 4n]);
    const { metadata } = await batching.getStreamMetadata(stream);
    expect(metadata).toMatchObject({ truncateBefore: 3 });
  });

  it('is restored once its metadata is written', async () => {
    const stream = newStream();
    await states['soft-deleted'](stream);
    await batching.setStreamMetadata(stream, { maxAge: 1000 });
    expect(await newRevisions(batching, stream)).toEqual([]);
    const { metadata } = await batching.getStreamMetadata(stream);
    expect(metadata).toMatchObject({ truncateBefore: 3, maxAge: 1000 });
  });

  it('is identified by its name in the error', async () => {
    const stream = `${server.namespace()}-context-default:a b$`;
    await states.tombstoned(stream);
    const failed = { type: 'stream-deleted', streamName: stream };
    await expect(batching.deleteStream(stream)).rejects.toMatchObject(failed);
    await expect(collectEvents(batching.readStream(stream))).rejects.toMatchObject(failed);
    await expect(batching.appendToStream(stream, events(1))).rejects.toMatchObject(failed);
    await expect(unbatched.appendToStream(stream, events(1))).rejects.toMatchObject(failed);
  });

  it('does not return metadata after its tombstone, but still accepts metadata', async () => {
    const stream = newStream();
    await states['metadata only'](stream);
    await batching.tombstoneStream(stream);
    const read = () => collectEvents(batching.readStream(`$$${stream}`));
    await expect(read()).rejects.toMatchObject({ type: 'stream-deleted' });
    expect(await outcomeOf(batching.setStreamMetadata(stream, {}))).toBe('revision 1');
    await expect(read()).rejects.toMatchObject({ type: 'stream-deleted' });
  });

  it('accepts no metadata if it had none before its tombstone', async () => {
    const stream = newStream();
    await states.tombstoned(stream);
    expect(await outcomeOf(batching.setStreamMetadata(stream, {}))).toBe('stream-deleted');
    await expect(collectEvents(batching.readStream(`$$${stream}`))).rejects.toMatchObject({
      type: 'stream-deleted',
    });
  });

  it('can be deleted again, and permanently', async () => {
    const stream = newStream();
    await states['soft-deleted'](stream);
    await batching.deleteStream(stream);
    await batching.tombstoneStream(stream, { expectedRevision: 2n });
    await expect(batching.deleteStream(stream)).rejects.toMatchObject({ type: 'stream-deleted' });
  });

  it.each([
    ['deleteStream', 'missing', 'any', ErrorType.WRONG_EXPECTED_VERSION],
    ['deleteStream', 'three events', 1n, ErrorType.WRONG_EXPECTED_VERSION],
    ['deleteStream', 'three events', 2n, undefined],
    ['deleteStream', 'three events', 'no_stream', ErrorType.WRONG_EXPECTED_VERSION],
    ['tombstoneStream', 'missing', 'any', undefined],
    ['tombstoneStream', 'three events', 1n, ErrorType.WRONG_EXPECTED_VERSION],
    ['tombstoneStream', 'three events', 2n, undefined],
    ['tombstoneStream', 'tombstoned', 'any', ErrorType.STREAM_DELETED],
  ] as const)('%s of one %s, expecting %s, fails with %s', async (call, state, expected, type) => {
    const stream = newStream();
    await states[state](stream);
    const failure = await batching[call](stream, { expectedRevision: expected }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect((failure as { type?: string } | undefined)?.type).toBe(type);
  });
});

describe('a read of $all', () => {
  let stream: string;
  let first: Position;
  beforeAll(async () => {
    stream = newStream();
    await batching.appendToStream(stream, events(3));
    await batching.deleteStream(stream);
    const [begin] = await collectEvents(
      batching.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 4 }),
    );
    expect(begin).toBeDefined();
    const mine = await ofStream(batching.readAll());
    if (!mine[0]?.position) throw new Error('an event of $all has a position');
    first = mine[0].position;
  });

  const ofStream = async (read: Parameters<typeof collectEvents>[0]) =>
    (await collectEvents(read)).filter(({ streamId }) => streamId === stream);

  it('includes truncated events, the deletion, and the system events of the server', async () => {
    const all = await collectEvents(batching.readAll());
    expect(all.filter(({ streamId }) => streamId === stream)).toHaveLength(3);
    const deletion = all.find(({ streamId }) => streamId === `$$${stream}`);
    expect(deletion).toMatchObject({ type: '$metadata', data: { $tb: expect.anything() } });
    // Without users or statistics, the only system events are the metadata of the system streams.
    expect(all.some(({ streamId }) => /^(\$\$)?\$[^$]/.test(streamId))).toBe(true);
    expect(all.some(({ streamId }) => streamId === '$epoch-information')).toBe(false);
  });

  it('has increasing positions that do not count events', async () => {
    const positions = (await ofStream(batching.readAll())).map(({ position }) => position?.commit);
    const gaps = positions.slice(1).map((at, index) => (at ?? 0n) - (positions[index] ?? 0n));
    expect(gaps.every((gap) => gap > 10n)).toBe(true);
  });

  it('begins at a position forwards, and before it backwards', async () => {
    const [forwards] = await collectEvents(batching.readAll({ fromPosition: first, maxCount: 1 }));
    expect(forwards).toMatchObject({ streamId: stream, revision: 0n });
    const backwards = batching.readAll({
      fromPosition: first,
      direction: 'backwards',
      maxCount: 1,
    });
    const [before] = await collectEvents(backwards);
    expect(before?.position?.commit).toBeLessThan(first.commit);
  });

  it('rejects a position at which no record begins', async () => {
    const inside = { commit: first.commit + 1n, prepare: first.prepare + 1n };
    for (const direction of ['forwards', 'backwards'] as const) {
      const read = batching.readAll({ fromPosition: inside, direction, maxCount: 1 });
      await expect(collectEvents(read)).rejects.toMatchObject({
        type: 'unknown',
        code: 2,
        message: expect.stringContaining('InvalidPosition'),
      });
    }
    // Only a subscription reports this as an error of the caller.
    const ended = new Promise((_, reject) => {
      batching.subscribeToAll({ fromPosition: inside }).on('error', reject);
    });
    await expect(ended).rejects.toMatchObject({ type: 'unknown', code: 3 });
  });

  it('returns nothing forwards from far beyond the end, and fails backwards from there', async () => {
    const beyond = { commit: 2n ** 60n, prepare: 2n ** 60n };
    expect(await collectEvents(batching.readAll({ fromPosition: beyond }))).toEqual([]);
    const backwards = batching.readAll({ fromPosition: beyond, direction: 'backwards' });
    await expect(collectEvents(backwards)).rejects.toMatchObject({
      type: 'unknown',
      code: 2,
      message: expect.stringContaining('ReadAllResult: Error'),
    });
  });
});

describe('a subscription to $all', () => {
  const prefixed = (namespace: string, checkpointInterval = 1) => ({
    filter: streamNameFilter({ prefixes: [`${namespace}-`], checkpointInterval }),
  });

  it('delivers history, reports its end, and continues with new events', async () => {
    const namespace = server.namespace();
    await batching.appendToStream(`${namespace}-a`, events(3));
    await batching.appendToStream(`${server.namespace()}-a`, events(1));
    const followed = followAll(batching, { fromPosition: 'start', ...prefixed(namespace) });
    await followed.until((reports) => reports.includes('caught up'));
    expect(followed.reports.filter((each) => !each.startsWith('checkpoint'))).toEqual([
      'confirmed',
      `0@${namespace}-a`,
      `1@${namespace}-a`,
      `2@${namespace}-a`,
      'caught up',
    ]);
    expect(followed.reports.at(-2)).toMatch(/^checkpoint/);
    await batching.appendToStream(`${namespace}-b`, events(2));
    await followed.until((reports) => reports.includes(`1@${namespace}-b`));
    expect(followed.reports.indexOf(`0@${namespace}-b`)).toBeGreaterThan(
      followed.reports.indexOf('caught up'),
    );
    await followed.end();
  });

  it('begins after the given position of an event or a checkpoint', async () => {
    const [namespace, other] = [server.namespace(), `${server.namespace()}-other`];
    // Not from the start: a long log of other clients has too many checkpoints for the time limit of a test.
    const begin = (await batching.appendToStream(other, events(1))).position;
    await batching.appendToStream(other, events(100));
    await batching.appendToStream(`${namespace}-a`, events(40));
    const before = followAll(batching, {
      ...(begin && { fromPosition: begin }),
      ...prefixed(namespace),
    });
    await before.until((reports) => reports.includes('caught up'));
    await before.end();
    const events40 = before.events;
    expect(before.checkpoints.length).toBeGreaterThan(3);
    const middle = events40[19]?.position;
    const after = followAll(batching, {
      ...(middle ? { fromPosition: middle } : {}),
      ...prefixed(namespace),
    });
    await after.until((reports) => reports.includes('caught up'));
    await after.end();
    expect(after.events.map(({ revision }) => revision)).toEqual(
      events40.slice(20).map(({ revision }) => revision),
    );
    for (const checkpoint of before.checkpoints) {
      const resumed = followAll(batching, { fromPosition: checkpoint, ...prefixed(namespace) });
      await resumed.until((reports) => reports.includes('caught up'));
      await resumed.end();
      const due = events40.filter(
        ({ position }) => position && position.commit > checkpoint.commit,
      ).length;
      // No event is lost; one event may be repeated if the checkpoint is at the beginning of a record.
      expect(resumed.events.length - due).toBeGreaterThanOrEqual(0);
      expect(resumed.events.length - due).toBeLessThanOrEqual(1);
    }
  });

  it('sends no checkpoint that skips undelivered events', async () => {
    const [namespace, other] = [server.namespace(), `${server.namespace()}-other`];
    const begin = (await batching.appendToStream(other, events(1))).position;
    const options = { ...(begin && { fromPosition: begin }), ...prefixed(namespace) };
    for (let round = 0; round < 4; round += 1) {
      await batching.appendToStream(other, events(62));
      await batching.appendToStream(`${namespace}-a`, events(2));
    }
    const followed = followAll(batching, options);
    await followed.until((reports) => reports.includes('caught up'));
    await followed.end();
    expect(followed.events).toHaveLength(8);
    expect(followed.checkpoints.length).toBeGreaterThan(6);
    for (const [index, checkpoint] of followed.checkpoints.entries()) {
      const resumed = followAll(batching, { ...options, fromPosition: checkpoint });
      await resumed.until((reports) => reports.includes('caught up'));
      await resumed.end();
      const due = followed.events.slice(followed.eventsBefore[index]).map(({ id }) => id);
      expect(resumed.events.map(({ id }) => id)).toEqual(expect.arrayContaining(due));
    }
  });

  it('from the end delivers only new events, without a checkpoint before them', async () => {
    const namespace = server.namespace();
    await batching.appendToStream(`${namespace}-a`, events(1));
    const followed = followAll(batching, { fromPosition: 'end', ...prefixed(namespace) });
    await followed.until((reports) => reports.includes('caught up'));
    await batching.appendToStream(`${namespace}-a`, events(1));
    await followed.until((reports) => reports.includes(`1@${namespace}-a`));
    expect(followed.reports).not.toContain(`0@${namespace}-a`);
    await followed.end();
  });

  it('sends checkpoints while no event passes the filter', async () => {
    const namespace = server.namespace();
    const followed = followAll(batching, { fromPosition: 'end', ...prefixed(namespace) });
    await followed.until((reports) => reports.includes('caught up'));
    await batching.appendToStream(`${server.namespace()}-other`, events(40));
    await followed.until((reports) => reports.some((each) => each.startsWith('checkpoint')));
    expect(followed.events).toEqual([]);
    const [checkpoint] = followed.checkpoints;
    const resumed = followAll(batching, {
      ...(checkpoint ? { fromPosition: checkpoint } : {}),
      ...prefixed(namespace),
    });
    await resumed.until((reports) => reports.includes('caught up'));
    await resumed.end();
    await followed.end();
  });

  it('without a filter has no checkpoints and includes system events', async () => {
    const followed = followAll(batching, { fromPosition: 'start' });
    await followed.until((reports) => reports.includes('caught up'));
    expect(followed.checkpoints).toEqual([]);
    expect(followed.events.some(({ streamId }) => streamId.startsWith('$'))).toBe(true);
    await followed.end();
  });

  it('delivers everything to a slow consumer in order', async () => {
    const namespace = server.namespace();
    const followed = followAll(batching, { fromPosition: 'end', ...prefixed(namespace) });
    await followed.until((reports) => reports.includes('caught up'));
    followed.pause();
    for (let round = 0; round < 10; round += 1)
      await batching.appendToStream(`${namespace}-a`, events(50));
    followed.resume();
    await followed.until((reports) => reports.includes(`499@${namespace}-a`));
    const revisions = [...new Set(followed.events.map(({ revision }) => revision))];
    expect(revisions).toEqual(Array.from({ length: 500 }, (_, n) => BigInt(n)));
    await followed.end();
  });
});

describe('a subscription to a stream', () => {
  it('waits for a stream that does not exist yet, and ends with its tombstone', async () => {
    const stream = newStream();
    const followed = followStream(batching, stream, 'start');
    await followed.until((reports) => reports.includes('confirmed'));
    await batching.appendToStream(stream, events(2));
    await followed.until((reports) => reports.includes(`1@${stream}`));
    await batching.tombstoneStream(stream);
    await followed.until((reports) => reports.includes('failed: stream-deleted'));
    expect(followed.events.map(({ type }) => type)).toEqual([
      'happened',
      'happened',
      '$streamDeleted',
    ]);
    const late = followStream(batching, stream, 'start');
    await late.until((reports) => reports.includes('failed: stream-deleted'));
    expect(late.events).toEqual([]);
  });

  it('continues with new events after the stream was deleted', async () => {
    const stream = newStream();
    await batching.appendToStream(stream, events(2));
    const followed = followStream(batching, stream, 'start');
    await followed.until((reports) => reports.includes('caught up'));
    await batching.deleteStream(stream);
    await batching.appendToStream(stream, events(1));
    await followed.until((reports) => reports.includes(`2@${stream}`));
    const late = followStream(batching, stream, 'start');
    await late.until((reports) => reports.includes('caught up'));
    expect(late.events.map(({ revision }) => revision)).toEqual([2n]);
    await followed.end();
    await late.end();
  });

  it('begins after the given revision', async () => {
    const stream = newStream();
    await batching.appendToStream(stream, events(4));
    const followed = followStream(batching, stream, 1n);
    await followed.until((reports) => reports.includes('caught up'));
    expect(followed.events.map(({ revision }) => revision)).toEqual([2n, 3n]);
    await followed.end();
  });
});
