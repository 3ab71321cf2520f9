import { randomUUID } from 'node:crypto';

import {
  type EventStoreDBClient,
  StreamNotFoundError,
  binaryEvent,
  jsonEvent,
  streamNameFilter,
} from '@eventstore/db-client';

import { itWhole } from './sized.js';
import { type StandInKurrentDb, openStandIn } from './test-kurrentdb.js';
import { waitFor } from './wait-for.js';
import {
  connect,
  connectUnbatched,
  followAll,
  followStream,
  newRevisions,
  outcomeOf,
} from './test-kurrentdb.client.js';

// The intended faults of the stand-in as a client sees them, and the limits that a real server may have configured
// differently.

let server: StandInKurrentDb;
let batching: EventStoreDBClient;
let unbatched: EventStoreDBClient;
beforeEach(async () => {
  server = await openStandIn();
  batching = connect(server.connectionString);
  unbatched = connectUnbatched(server.connectionString);
});
afterEach(async () => {
  await batching.dispose();
  await unbatched.dispose();
  await server.close();
});

const event = (id: string = randomUUID()) => jsonEvent({ id, type: 'happened', data: {} });
const newStream = () => `${server.namespace()}-a`;

/** Short, for calls that never receive a response. */
const impatient = { deadline: 200 };

it('ends its process when it is closed', async () => {
  const other = await openStandIn();
  expect(process.kill(other.pid, 0)).toBe(true);
  await other.close();
  expect(() => process.kill(other.pid, 0)).toThrow('ESRCH');
});

it('rejects the metadata stream of no stream', async () => {
  // Real servers before 24.10.2 terminate on this request, so none is used here.
  for (const client of [batching, unbatched])
    expect(await outcomeOf(client.appendToStream('$$', event()))).toBe('unknown');
});

describe('the size of an append', () => {
  const limit = 1024 * 1024;
  const ofSize = (bytes: number) =>
    binaryEvent({ type: 'abc', data: Buffer.alloc(bytes - 2 * 'abc'.length) });

  it.each([
    ['batched', () => batching],
    ['by a call of its own', () => unbatched],
  ])('%s may be the limit and no byte more', async (_, client) => {
    const stream = newStream();
    expect(await outcomeOf(client().appendToStream(stream, ofSize(limit)))).toBe('revision 0');
    const tooLarge = client().appendToStream(stream, ofSize(limit + 1));
    await expect(tooLarge).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: limit,
    });
    const halves = [ofSize(limit / 2), ofSize(limit / 2)];
    expect(await outcomeOf(client().appendToStream(stream, halves))).toBe('revision 2');
    const more = client().appendToStream(stream, [...halves, ofSize(7)]);
    expect(await outcomeOf(more)).toBe('maximum-append-size-exceeded');
    expect(await newRevisions(client(), stream)).toEqual([0n, 1n, 2n]);
  });

  it('also counts metadata and type names', async () => {
    const counted = (metadata: number) =>
      binaryEvent({
        type: 'abc',
        data: Buffer.alloc(limit - 2 * 'abc'.length - 10),
        metadata: Uint8Array.from(Buffer.alloc(metadata, 1)),
      });
    expect(await outcomeOf(batching.appendToStream(newStream(), counted(10)))).toBe('revision 0');
    expect(await outcomeOf(batching.appendToStream(newStream(), counted(11)))).toBe(
      'maximum-append-size-exceeded',
    );
  });

  itWhole('can span several frames if the limit is larger', async () => {
    const larger = await openStandIn({ maxAppendSize: 8 * limit });
    const client = connect(larger.connectionString);
    const stream = newStream();
    const five = Array.from({ length: 5 }, () => ofSize(limit));
    expect(await outcomeOf(client.appendToStream(stream, five))).toBe('revision 4');
    expect(await newRevisions(client, stream)).toEqual([0n, 1n, 2n, 3n, 4n]);
    await client.dispose();
    await larger.close();
  });
});

describe('silence', () => {
  it('leaves calls without a response, and later processes and answers the received calls', async () => {
    const [unanswered, patient] = [newStream(), newStream()];
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const late = outcomeOf(unbatched.appendToStream(patient, event(), { deadline: 50_000 }));
    expect(await outcomeOf(unbatched.appendToStream(unanswered, event(), impatient))).toBe(
      'deadline-exceeded',
    );
    await server.faults.switch({ fault: 'silence', node: 0, isOn: false });
    expect(await late).toBe('revision 0');
    // No client waits for it any longer, and it is stored nevertheless.
    expect(await newRevisions(batching, unanswered)).toEqual([0n]);
  });

  it('pauses active subscriptions and batches', async () => {
    const stream = newStream();
    const followed = followStream(batching, stream, 'start');
    await batching.appendToStream(stream, event());
    await followed.until((reports) => reports.includes(`0@${stream}`));
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const late = outcomeOf(batching.appendToStream(stream, event()));
    expect(await outcomeOf(unbatched.appendToStream(newStream(), event(), impatient))).toBe(
      'deadline-exceeded',
    );
    expect(followed.reports).not.toContain(`1@${stream}`);
    await server.faults.switch({ fault: 'silence', node: 0, isOn: false });
    expect(await late).toBe('revision 1');
    await followed.until((reports) => reports.includes(`1@${stream}`));
    await followed.end();
  });
});

describe('dropped responses', () => {
  it('store the append, and end after the given number', async () => {
    const stream = newStream();
    await server.faults.switch({ fault: 'drop-answers', count: 1 });
    const appended = event();
    const append = (options = {}) =>
      outcomeOf(
        unbatched.appendToStream(stream, appended, { expectedRevision: 'no_stream', ...options }),
      );
    expect(await append(impatient)).toBe('deadline-exceeded');
    expect(await append()).toBe('revision 0');
    expect(await newRevisions(batching, stream)).toEqual([0n]);
  });

  it('leave a batch pending while later batches receive responses', async () => {
    const stream = newStream();
    const followed = followStream(unbatched, stream, 'start');
    let isSettled = false;
    await server.faults.switch({ fault: 'drop-answers', count: 1 });
    const settle = () => (isSettled = true);
    void batching.appendToStream(stream, event()).then(settle, settle);
    await followed.until((reports) => reports.includes(`0@${stream}`));
    expect(await outcomeOf(batching.appendToStream(stream, event()))).toBe('revision 1');
    expect(isSettled).toBe(false);
    await followed.end();
  });
});

describe('slow commits', () => {
  it.each([
    ['batched', () => batching],
    ['by a call of its own', () => unbatched],
  ])('acknowledge an append %s, and show it, later than conflicts report it', async (_, client) => {
    const stream = newStream();
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 60_000 });
    const appended = outcomeOf(client().appendToStream(stream, event()));
    const conflict = () =>
      outcomeOf(unbatched.appendToStream(stream, event(), { expectedRevision: 5n }));
    await waitFor('a conflict with it', conflict, {
      until: (reports) => reports === 'wrong-expected-version, actual 0',
    });
    await expect(newRevisions(unbatched, stream)).rejects.toMatchObject({
      type: 'stream-not-found',
    });
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 0 });
    expect(await appended).toBe('revision 0');
    expect(await newRevisions(unbatched, stream)).toEqual([0n]);
  });

  it('end the append and its repetition with a timeout, and store it once', async () => {
    const [stream, appended] = [newStream(), event()];
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 60_000 });
    const append = () =>
      outcomeOf(unbatched.appendToStream(stream, appended, { expectedRevision: 'no_stream' }));
    expect(await append()).toBe('timeout');
    const repeated = append();
    expect(await repeated).toBe('timeout');
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 0 });
    expect(await append()).toBe('revision 0');
    expect(await newRevisions(unbatched, stream)).toEqual([0n]);
  });
});

describe('a connection', () => {
  itWhole('supports a hundred streams and no additional call', async () => {
    const stream = newStream();
    const followed = [];
    for (let left = 100; left > 0; left -= 1) {
      const next = followStream(unbatched, stream, 'end');
      await next.until((reports) => reports.includes('caught up'));
      followed.push(next);
    }
    expect(await outcomeOf(unbatched.appendToStream(stream, event(), impatient))).toBe(
      'deadline-exceeded',
    );
    await Promise.all(followed.map((each) => each.end()));
  });

  itWhole('is lost if a subscription reads nothing for too long', async () => {
    const stream = newStream();
    // More than fits into the buffers of the client.
    const large = () => binaryEvent({ type: 'large', data: Buffer.alloc(500_000) });
    for (let left = 80; left > 0; left -= 1) await batching.appendToStream(stream, large());
    const slow = () => server.faults.switch({ fault: 'slow-consumers', milliseconds: 300 });
    await slow();
    const followed = followStream(unbatched, stream, 'start');
    followed.pause();
    await waitFor('a connection that is lost', slow);
    followed.resume();
    await followed.until((reports) =>
      /^failed: (unavailable|cancelled)/.test(reports.at(-1) ?? ''),
    );
  });

  it('ends its streams as cancelled when the node stops gracefully', async () => {
    const followed = followStream(unbatched, newStream(), 'start');
    await followed.until((reports) => reports.includes('caught up'));
    await server.faults.switch({ fault: 'stop-node', node: 0, isGraceful: true });
    await followed.until((reports) => reports.at(-1) === 'failed: cancelled');
  });
});

describe('a call that ends instead of returning a response', () => {
  it.each([
    ['unavailable', true, 'unavailable', [0n]],
    ['unavailable', false, 'unavailable', undefined],
    ['cancelled', true, 'cancelled', [0n]],
    ['ok', true, 'cancelled', [0n]],
  ] as const)('with %s, stored %s, is %s', async (end, isStored, type, revisions) => {
    const stream = newStream();
    await server.faults.switch({ fault: 'end-next-append', end, isStored });
    expect(await outcomeOf(unbatched.appendToStream(stream, event()))).toBe(type);
    const read = newRevisions(batching, stream);
    if (revisions) expect(await read).toEqual(revisions);
    else await expect(read).rejects.toBeInstanceOf(StreamNotFoundError);
    expect(await outcomeOf(unbatched.appendToStream(stream, event()))).toBe(
      revisions ? 'revision 1' : 'revision 0',
    );
  });

  it('with OK leaves a batch pending indefinitely, stored or not', async () => {
    const stream = newStream();
    const followed = followStream(unbatched, stream, 'start');
    await followed.until((reports) => reports.includes('caught up'));
    let isSettled = false;
    const settle = () => (isSettled = true);
    await server.faults.switch({ fault: 'end-next-append', end: 'ok', isStored: true });
    // Never disposed of: that would wait indefinitely for a stream that has ended like this.
    const dumb = connect(server.connectionString);
    void dumb.appendToStream(stream, event()).then(settle, settle);
    await followed.until((reports) => reports.includes(`0@${stream}`));
    expect(await outcomeOf(unbatched.appendToStream(stream, event()))).toBe('revision 1');
    expect(isSettled).toBe(false);
    await followed.end();
  });

  it('with a failure fails a batch', async () => {
    await server.faults.switch({ fault: 'end-next-append', end: 'unavailable', isStored: false });
    expect(await outcomeOf(batching.appendToStream(newStream(), event()))).toBe('unavailable');
  });

  it('can be a stream of batches without pending batches', async () => {
    await connect(server.connectionString).appendToStream(newStream(), event());
    expect(await server.faults.switch({ fault: 'end-append-streams' })).toBe(1);
    expect(await server.faults.switch({ fault: 'end-append-streams' })).toBe(0);
  });
});

describe('subscriptions', () => {
  it.each([
    ['cancelled', 'failed: cancelled'],
    ['unavailable', 'failed: unavailable'],
    ['ok', 'ended'],
  ] as const)('cut with %s have %s', async (end, reports) => {
    const all = followAll(batching, { fromPosition: 'end' });
    const one = followStream(batching, newStream(), 'start');
    await all.until((each) => each.includes('caught up'));
    await one.until((each) => each.includes('caught up'));
    expect(await server.faults.switch({ fault: 'cut-subscriptions', end })).toBe(2);
    await all.until((each) => each.includes(reports));
    await one.until((each) => each.includes(reports));
    const again = followAll(batching, { fromPosition: 'end' });
    await again.until((each) => each.includes('caught up'));
    await again.end();
  });

  it('that are stalled deliver nothing until they continue', async () => {
    const stream = newStream();
    const followed = followStream(batching, stream, 'start');
    await followed.until((reports) => reports.includes('caught up'));
    await server.faults.switch({ fault: 'stall-subscriptions', isOn: true });
    const late = followStream(batching, stream, 'start');
    await late.until((reports) => reports.includes('confirmed'));
    for (let count = 0; count < 3; count += 1) await batching.appendToStream(stream, event());
    expect(await newRevisions(batching, stream)).toEqual([0n, 1n, 2n]);
    expect([...followed.events, ...late.events]).toEqual([]);
    expect(late.reports).toEqual(['confirmed']);
    await server.faults.switch({ fault: 'stall-subscriptions', isOn: false });
    await followed.until((reports) => reports.includes(`2@${stream}`));
    await late.until((reports) => reports.includes(`2@${stream}`));
    await followed.end();
    await late.end();
  });

  it('repeat the given number of events', async () => {
    const stream = newStream();
    await batching.appendToStream(stream, [event(), event(), event()]);
    await server.faults.switch({ fault: 'repeat-events', count: 2 });
    const followed = followStream(batching, stream, 'start');
    await followed.until((reports) => reports.includes('caught up'));
    expect(followed.events.map(({ revision }) => revision)).toEqual([0n, 0n, 1n, 1n, 2n]);
    await followed.end();
  });

  it('have one invalid checkpoint', async () => {
    const filter = streamNameFilter({ prefixes: ['none'] });
    await server.faults.switch({ fault: 'bad-checkpoint' });
    const max = 2n ** 64n - 1n;
    const first = followAll(batching, { fromPosition: 'start', filter });
    await first.until((reports) => reports.includes('caught up'));
    expect(first.checkpoints.at(-1)).toEqual({ commit: max, prepare: max });
    const second = followAll(batching, { fromPosition: 'start', filter });
    await second.until((reports) => reports.includes('caught up'));
    expect(second.checkpoints.at(-1)?.commit).toBeLessThan(max);
    await first.end();
    await second.end();
  });
});

describe('discarded ids', () => {
  it('are written again only if no revision is expected', async () => {
    const stream = newStream();
    const appended = event();
    await batching.appendToStream(stream, appended, { expectedRevision: 'no_stream' });
    const again = () => outcomeOf(batching.appendToStream(stream, appended));
    expect(await again()).toBe('revision 0');
    await server.faults.switch({ fault: 'forget-recent-ids' });
    const exact = batching.appendToStream(stream, appended, { expectedRevision: 'no_stream' });
    expect(await outcomeOf(exact)).toBe('revision 0');
    expect(await again()).toBe('revision 1');
  });
});

it('rejects an unknown fault', async () => {
  await expect(server.faults.switch({ fault: 'freeze', node: 7, isOn: true })).rejects.toThrow(
    'there is no node 7',
  );
  await expect(server.faults.switch({ fault: 'lose-leader', end: 'cancelled' })).rejects.toThrow(
    'no other node can lead',
  );
});
