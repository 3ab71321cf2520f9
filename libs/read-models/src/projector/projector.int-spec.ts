import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import {
  type CallOptions,
  type EventStore,
  type EventToAppend,
  type StoredEvent,
  StoreUnavailableError,
} from '#event-sourcing';
import { contextStream } from '#shared-context';
import { did, useTestStore, waitFor, waitForProjector } from '#testing';

import { liveTables } from '../tables.js';
import { applyBatch } from './apply-batch.js';
import { type QuarantinedContext, listDeadLetters } from './dead-letters.js';
import { allPartitions, partitionOf } from './partition.js';
import { openProjection, takePartitions } from './partition-rows.js';
import { Partitions } from './partitions.js';
import { listProjections } from './projection-status.js';
import { Projector } from './projector.js';
import { retryDeadLetter } from './retry-dead-letter.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';
import { abortableStore } from './abortable-store.js';

const created = did('ContextCreated', {});
const output = (n: number) => did('StepOutputAdded', { stepId: 's', output: n });

/** The store with a subscription that skips these versions of contexts `a` and `c`. */
function skipping(store: EventStore, versions: readonly number[]): EventStore {
  async function* subscribeAll(...subscription: Parameters<EventStore['subscribeAll']>) {
    for await (const batch of store.subscribeAll(...subscription)) {
      const isDelivered = ({ stream, version }: StoredEvent) =>
        !/:[ac]$/.test(stream) || !versions.includes(version);
      yield batch.filter(isDelivered);
    }
  }
  return { ...abortableStore(new AbortController().signal, store), subscribeAll };
}

describe('projectors', () => {
  let running: Projector[];

  beforeEach(() => {
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.stop()));
  });
  const on = useTestStore();

  const start = () => {
    const projector = new Projector(on.db, on.store);
    running.push(projector);
    projector.start();
    return projector;
  };
  const status = async () => {
    const [found] = await listProjections(on);
    return found;
  };
  const ownersOf = async () => {
    const partitions = (await status())?.partitions ?? [];
    return partitions.flatMap(({ owner }) => (owner ? [owner.instance] : []));
  };
  const shares = async () => {
    const counts = Map.groupBy(await ownersOf(), (instance) => instance);
    return [...counts.values()].map((own) => own.length).toSorted();
  };
  const caughtUp = async (projector: Projector) => {
    await waitForProjector(projector);
  };
  const versionOf = async (contextId: string) => {
    const { rows } = await sql<{ version: number }>`
      select version from throughline.contexts where context_id = ${contextId}`.execute(on.db);
    return rows[0]?.version;
  };
  const ownedBy = async (owner: string) => {
    const identity = await on.store.identity();
    await openProjection(on.db, sharedContextProjection, {
      version: sharedContextVersion,
      identity,
    });
    return takePartitions(on.db, sharedContextProjection, owner);
  };

  it('share the partitions, and the last one running owns all of them', async () => {
    const first = start();
    await waitFor('an owner of every partition', ownersOf, {
      until: ({ length }) => length === allPartitions.length,
    });
    const second = start();
    await waitFor('half of the partitions each', shares, {
      until: (counts) => counts.join() === '4,4',
    });
    await on.history.append('a', created, output(1));
    await first.stop();
    await waitFor('all partitions with the one that is left', shares, {
      until: (counts) => counts.join() === '8',
    });
    expect(new Set(await ownersOf())).toEqual(new Set([second.instance]));
    await caughtUp(second);
    expect(await versionOf('a')).toBe(2);
  });

  it('refuse the write of a projector whose partitions were taken over', async () => {
    await on.history.append('a', created);
    const owner = randomUUID();
    const sleeper = new Partitions(await ownedBy(owner), on.store);
    const batch = await on.store.readAll({ after: 'start', limit: 10 });
    await ownedBy(randomUUID());
    const worker = {
      db: on.db,
      owner,
      projection: sharedContextProjection,
      tables: liveTables,
      store: on.store,
    };
    await expect(applyBatch(worker, sleeper, batch)).resolves.toBeUndefined();
    expect(await versionOf('a')).toBeUndefined();
  });

  it('refuse a batch that was read from another position, even from the same owner', async () => {
    await on.history.append('a', created);
    const owner = randomUUID();
    const owned = await ownedBy(owner);
    const worker = {
      db: on.db,
      owner,
      projection: sharedContextProjection,
      tables: liveTables,
      store: on.store,
    };
    const batch = await on.store.readAll({ after: 'start', limit: 10 });
    await expect(applyBatch(worker, new Partitions(owned, on.store), batch)).resolves.toMatchObject(
      {
        events: 1,
      },
    );
    await expect(
      applyBatch(worker, new Partitions(owned, on.store), batch),
    ).resolves.toBeUndefined();
  });

  it('quarantine only the context whose rows PostgreSQL rejects', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      on.db,
    );
    await on.history.append('odd', created);
    await on.history.append('even', created, output(1));
    await caughtUp(start());
    expect(await versionOf('even')).toBe(2);
    const [letter] = await deadLetters();
    expect(letter).toMatchObject({ contextId: 'odd', version: 1, type: 'ContextCreated' });
    expect(letter?.error).toContain('odd');
  });

  it('apply all missed events of a quarantined context on a retry, and continue with it', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      on.db,
    );
    await on.history.append('odd', created);
    const projector = start();
    const [letter] = await waitFor('one dead letter', deadLetters, {
      until: ({ length }) => length === 1,
    });
    const id = letter?.id ?? '';
    await expect(retryDeadLetter(on, id)).resolves.toMatchObject({
      done: false,
      deadLetter: { error: expect.stringContaining('odd') },
    });
    await on.history.append('odd', ...Array.from({ length: 500 }, (_, n) => output(n)));
    await sql`alter table throughline.context_items drop constraint odd`.execute(on.db);
    await expect(retryDeadLetter(on, id)).resolves.toEqual({ done: true });
    await on.history.append('odd', output(-1));
    await caughtUp(projector);
    expect(await versionOf('odd')).toBe(502);
    expect(await deadLetters()).toEqual([]);
  });

  it('read the stream if the feed skips events, and miss none', async () => {
    await on.history.append('a', created, output(1), output(2), output(3));
    await on.history.append('b', created, output(1));
    const quarantined: QuarantinedContext[] = [];
    const projector = new Projector(on.db, skipping(on.store, [2, 3]), {
      quarantined: (context) => void quarantined.push(context),
    });
    running.push(projector);
    projector.start();
    await waitFor(
      'the rows of both contexts',
      async () => [await versionOf('a'), await versionOf('b')],
      {
        until: (versions) => versions.join() === '4,2',
      },
    );
    expect(quarantined).toMatchObject([
      { contextId: 'a', version: 4, error: expect.stringContaining('versions 2 to 3') },
    ]);
    await waitFor('no quarantined context', deadLetters, {
      until: ({ length }) => length === 0,
    });
  });

  it('stop before a gap that the stream has too, and report it', async () => {
    await on.history.append('a', created, output(1), output(2));
    await on.history.append('b', created, output(1));
    const store = skipping(on.store, [2]);
    const without: EventStore = Object.assign(store, {
      readStream: async (...read: Parameters<EventStore['readStream']>) =>
        (await on.store.readStream(...read)).filter(({ stream, version }) =>
          isIncluded(stream, version),
        ),
    });
    const isIncluded = (stream: string, version: number) => !/:[ac]$/.test(stream) || version !== 2;
    const projector = new Projector(on.db, without);
    running.push(projector);
    projector.start();
    await waitFor('the other context', () => versionOf('b'), { until: (version) => version === 2 });
    const [letter] = await waitFor('a second attempt', deadLetters, {
      until: ([found]) => found?.attempts === 2,
    });
    expect(letter?.error).toBe('MissingEventsError: version 2 of the stream was not delivered');
    expect(await versionOf('a')).toBe(1);
    // A gap in another context must not cause a retry of this one.
    await on.history.append('c', created, output(1), output(2));
    await waitFor('a second attempt of the other', deadLetters, {
      until: (letters) => letters.some((found) => found.contextId === 'c' && found.attempts === 2),
    });
    expect(await deadLetters()).toContainEqual(
      expect.objectContaining({ contextId: 'a', attempts: 2 }),
    );
  });

  it('read a stream again if the first read after a gap failed', async () => {
    await on.history.append('a', created, output(1), output(2));
    let fails = true;
    const store = skipping(on.store, [2]);
    const failing: EventStore = Object.assign(store, {
      readStream: (...read: Parameters<EventStore['readStream']>) => {
        if (!fails) return on.store.readStream(...read);
        fails = false;
        return Promise.reject(new StoreUnavailableError('not now'));
      },
    });
    const projector = new Projector(on.db, failing);
    running.push(projector);
    projector.start();
    await waitFor('the rows', () => versionOf('a'), { until: (version) => version === 3 });
    expect(fails).toBe(false);
  });

  it('preserve a dead letter that another process has updated during a retry', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      on.db,
    );
    await on.history.append('odd', created);
    await caughtUp(start());
    await on.history.append('odd', output(1), output(2), output(3));
    const [letter] = await deadLetters();
    const locked = Promise.withResolvers<void>();
    const moved = Promise.withResolvers<void>();
    const partition = partitionOf(contextStream({ workspace: 'default', contextId: 'odd' }));
    const other = on.db.transaction().execute(async (trx) => {
      await sql`
        select from throughline.projection_partitions where partition = ${partition} for update`.execute(
        trx,
      );
      locked.resolve();
      await moved.promise;
      await sql`update throughline.dead_letters set version = 4, attempts = 2`.execute(trx);
    });
    await locked.promise;
    const short: EventStore = Object.assign(skipping(on.store, []), {
      readStream: async (...read: Parameters<EventStore['readStream']>) =>
        (await on.store.readStream(...read)).filter(({ version }) => version < 4),
    });
    await sql`alter table throughline.context_items drop constraint odd`.execute(on.db);
    const retrying = retryDeadLetter({ db: on.db, store: short }, letter?.id ?? '');
    moved.resolve();
    await other;
    expect(await retrying).toMatchObject({
      done: false,
      deadLetter: { version: 4, error: expect.stringContaining('version 4') },
    });
  });

  it('leave a context quarantined if its stream ends before the failed event', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      on.db,
    );
    await on.history.append('odd', created, output(1));
    const projector = start();
    await caughtUp(projector);
    // A running projector retries by itself when it takes over a partition.
    await projector.stop();
    await sql`alter table throughline.context_items drop constraint odd`.execute(on.db);
    const [letter] = await deadLetters();
    const attempts = (letter?.attempts ?? 0) + 1;
    const unread: EventStore = Object.assign(skipping(on.store, []), {
      readStream: () => Promise.resolve([]),
    });
    const retried = await retryDeadLetter({ db: on.db, store: unread }, letter?.id ?? '');
    expect(retried).toMatchObject({ done: false, deadLetter: { attempts, contextId: 'odd' } });
    await expect(retryDeadLetter(on, letter?.id ?? '')).resolves.toEqual({ done: true });
    expect(await versionOf('odd')).toBe(2);
  });

  it('count the attempts to apply an event that cannot be decoded', async () => {
    await on.history.append('bad', created);
    const poison: EventToAppend = {
      eventId: randomUUID(),
      type: 'FromTheFuture',
      data: '{}',
      metadata: '{}',
    };
    await on.store.append(contextStream({ workspace: 'default', contextId: 'bad' }), [poison], 1);
    const projector = start();
    await caughtUp(projector);
    // A running projector retries by itself when it takes over a partition.
    await projector.stop();
    const [letter] = await deadLetters();
    await retryDeadLetter(on, letter?.id ?? '');
    const attempts = (letter?.attempts ?? 0) + 1;
    expect(await deadLetters()).toMatchObject([
      { version: 2, attempts, eventId: poison.eventId, type: 'FromTheFuture' },
    ]);
  });

  it('retry quarantined contexts when they start', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      on.db,
    );
    await on.history.append('odd', created);
    const first = start();
    await waitFor('one dead letter', deadLetters, { until: ({ length }) => length === 1 });
    await first.stop();
    await sql`alter table throughline.context_items drop constraint odd`.execute(on.db);
    start();
    await waitFor('no dead letter', deadLetters, { until: ({ length }) => length === 0 });
    expect(await versionOf('odd')).toBe(1);
  });

  it('report `stuck` if no projector runs, and `live` if one does', async () => {
    await ownedBy(randomUUID());
    await on.history.append('a', created);
    expect(await status()).toMatchObject({
      state: 'stuck',
      reason: 'no projector is running',
      lagEvents: 1,
      deadLetters: 0,
    });
    await caughtUp(start());
    expect(await status()).toMatchObject({ state: 'live', lagEvents: 0, lagSeconds: 0 });
  });

  it('leave rows of another log or of newer code unchanged, and report it', async () => {
    await ownedBy(randomUUID());
    const failures: string[] = [];
    const failed = (error: unknown) => void failures.push(String(error));
    await sql`update throughline.projections set version = 1000`.execute(on.db);
    const projector = new Projector(on.db, on.store, { failed });
    running.push(projector);
    projector.start();
    await failedWith(failures, 'upgrade');
    await sql`update throughline.projection_partitions set position = '7' where partition = 0`.execute(
      on.db,
    );
    await sql`
      update throughline.projections set version = 1, store_identity = 'another'`.execute(on.db);
    await failedWith(failures, 'another');
    expect(await ownersOf()).toEqual([]);
  });

  it('apply no more events after the rows are assigned to another log', async () => {
    await on.history.append('a', created);
    const failures: string[] = [];
    const failed = (error: unknown) => void failures.push(String(error));
    const failedTimes = (times: number) =>
      waitFor(`${times} failures`, () => failures, { until: ({ length }) => length >= times });
    const projector = new Projector(on.db, on.store, { failed });
    running.push(projector);
    projector.start();
    await waitFor('version 1 in the rows', () => versionOf('a'), {
      until: (version) => version === 1,
    });
    await sql`update throughline.projections set store_identity = 'another'`.execute(on.db);
    await failedTimes(1);
    await on.history.append('a', output(1));
    await failedTimes(4);
    expect(await versionOf('a')).toBe(1);
  });

  it('wait for a rebuild after the log was restored from an older backup', async () => {
    await on.history.append('a', created);
    const first = start();
    await caughtUp(first);
    await first.stop();
    await sql`update throughline.projection_partitions set position = '1000'`.execute(on.db);
    const failures: string[] = [];
    const failed = (error: unknown) => void failures.push(String(error));
    const projector = new Projector(on.db, on.store, { failed });
    running.push(projector);
    projector.start();
    await failedWith(failures, 'ahead of the event store');
    expect(await status()).toMatchObject({
      state: 'stuck',
      reason: expect.stringMatching(/ahead of the event store.*rebuild/),
    });
  });

  it('release their partitions at once when they stop while the log does not answer', async () => {
    await on.history.append('a', created);
    const first = start();
    await caughtUp(first);
    await first.stop();
    const requested = Promise.withResolvers<void>();
    const head = ({ signal }: CallOptions = {}) => {
      requested.resolve();
      return new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('given up')));
      });
    };
    const silent = { ...abortableStore(new AbortController().signal, on.store), head };
    const second = new Projector(on.db, silent);
    second.start();
    await requested.promise;
    expect(new Set(await ownersOf())).toEqual(new Set([second.instance]));
    await second.stop();
    expect(await ownersOf()).toEqual([]);
  });

  it('follow another log if no event of the former one was applied', async () => {
    await ownedBy(randomUUID());
    await sql`update throughline.projections set store_identity = 'another'`.execute(on.db);
    await on.history.append('a', created);
    await caughtUp(start());
    expect(await status()).toMatchObject({
      storeIdentity: await on.store.identity(),
      lagEvents: 0,
    });
  });

  async function failedWith(failures: readonly string[], words: string) {
    await waitFor(`a failure with "${words}"`, () => failures, {
      until: (texts) => texts.some((text) => text.includes(words)),
    });
  }

  async function deadLetters() {
    return listDeadLetters(on.db, { projection: sharedContextProjection, limit: 10 });
  }
});

describe('partitions', () => {
  it('distribute streams about evenly and always in the same way', () => {
    const counts = allPartitions.map(() => 0);
    for (let n = 0; n < 8_000; n++) {
      const partition = partitionOf(`context-default:c-${n}`);
      counts[partition] = (counts[partition] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    // Stored positions depend on these values: they must never change.
    expect(['a', 'context-default:demo', 'é😀'].map(partitionOf)).toEqual([4, 5, 1]);
  });
});
