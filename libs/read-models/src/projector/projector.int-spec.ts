import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import { type EventToAppend } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  did,
  openTestDatabase,
  openTestServer,
} from '#testing';

import { contextStream } from '../contexts/context-stream.js';
import { liveTables } from '../tables.js';
import { applyBatch } from './apply-batch.js';
import { listDeadLetters } from './dead-letters.js';
import { allPartitions, partitionOf } from './partition.js';
import { openProjection, takePartitions } from './partition-rows.js';
import { Partitions } from './partitions.js';
import { listProjections } from './projection-status.js';
import { Projector } from './projector.js';
import { retryDeadLetter } from './retry-dead-letter.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';

const created = did('ContextCreated', {});
const output = (n: number) => did('StepOutputAdded', { stepId: 's', output: n });

describe('projectors', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;
  let running: Projector[];

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.stop()));
    await store.close();
    await database.close();
  });

  const start = () => {
    const projector = new Projector(database.db, store);
    running.push(projector);
    projector.start();
    return projector;
  };
  const status = async () => {
    const [found] = await listProjections({ db: database.db, store });
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
    await until(async () => (await projector.lag()) === 0);
  };
  const versionOf = async (contextId: string) => {
    const { rows } = await sql<{ version: number }>`
      select version from throughline.contexts where context_id = ${contextId}`.execute(
      database.db,
    );
    return rows[0]?.version;
  };
  const ownedBy = async (owner: string) => {
    const identity = await store.identity();
    await openProjection(database.db, sharedContextProjection, {
      version: sharedContextVersion,
      identity,
    });
    return takePartitions(database.db, sharedContextProjection, owner);
  };

  it('share the partitions, and one left alone has all of them', async () => {
    const first = start();
    await until(async () => (await ownersOf()).length === allPartitions.length);
    const second = start();
    await until(async () => (await shares()).join() === '4,4');
    await history.append('a', created, output(1));
    await first.stop();
    await until(async () => (await shares()).join() === '8');
    expect(new Set(await ownersOf())).toEqual(new Set([second.instance]));
    await caughtUp(second);
    expect(await versionOf('a')).toBe(2);
  });

  it('refuse the write of one whose partitions were taken over meanwhile', async () => {
    await history.append('a', created);
    const owner = randomUUID();
    const sleeper = new Partitions(await ownedBy(owner), store);
    const batch = await store.readAll({ after: 'start', limit: 10 });
    await ownedBy(randomUUID());
    const worker = {
      ...{ db: database.db, owner, projection: sharedContextProjection },
      ...{ tables: liveTables, store },
    };
    await expect(applyBatch(worker, sleeper, batch)).resolves.toBeUndefined();
    expect(await versionOf('a')).toBeUndefined();
  });

  it('refuse a batch that was read behind another position, even from the same owner', async () => {
    await history.append('a', created);
    const owner = randomUUID();
    const owned = await ownedBy(owner);
    const worker = {
      ...{ db: database.db, owner, projection: sharedContextProjection },
      ...{ tables: liveTables, store },
    };
    const batch = await store.readAll({ after: 'start', limit: 10 });
    await expect(applyBatch(worker, new Partitions(owned, store), batch)).resolves.toMatchObject({
      events: 1,
    });
    await expect(applyBatch(worker, new Partitions(owned, store), batch)).resolves.toBeUndefined();
  });

  it('set aside only the context whose rows PostgreSQL refuses', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      database.db,
    );
    await history.append('odd', created);
    await history.append('even', created, output(1));
    await caughtUp(start());
    expect(await versionOf('even')).toBe(2);
    const [letter] = await deadLetters();
    expect(letter).toMatchObject({ contextId: 'odd', version: 1, type: 'ContextCreated' });
    expect(letter?.error).toContain('odd');
  });

  it('apply everything a parked context has missed when it is tried again, and go on with it', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      database.db,
    );
    await history.append('odd', created);
    const projector = start();
    await until(async () => (await deadLetters()).length === 1);
    const [letter] = await deadLetters();
    const id = letter?.id ?? '';
    await expect(retryDeadLetter({ db: database.db, store }, id)).resolves.toMatchObject({
      ...{ done: false, deadLetter: { attempts: 2, error: expect.stringContaining('odd') } },
    });
    await history.append('odd', ...Array.from({ length: 500 }, (_, n) => output(n)));
    await sql`alter table throughline.context_items drop constraint odd`.execute(database.db);
    await expect(retryDeadLetter({ db: database.db, store }, id)).resolves.toEqual({ done: true });
    await history.append('odd', output(-1));
    await caughtUp(projector);
    expect(await versionOf('odd')).toBe(502);
    expect(await deadLetters()).toEqual([]);
  });

  it('count the attempts at an event that no code can read', async () => {
    await history.append('bad', created);
    const poison: EventToAppend = {
      ...{ eventId: randomUUID(), type: 'FromTheFuture', data: '{}', metadata: '{}' },
    };
    await store.append(contextStream({ workspace: 'default', contextId: 'bad' }), [poison], 1);
    await caughtUp(start());
    const [letter] = await deadLetters();
    await retryDeadLetter({ db: database.db, store }, letter?.id ?? '');
    expect(await deadLetters()).toMatchObject([
      { version: 2, attempts: 2, eventId: poison.eventId, type: 'FromTheFuture' },
    ]);
  });

  it('try again by themselves, once they start with what was mended', async () => {
    await sql`
      alter table throughline.context_items add constraint odd check (context_id <> 'odd')`.execute(
      database.db,
    );
    await history.append('odd', created);
    const first = start();
    await until(async () => (await deadLetters()).length === 1);
    await first.stop();
    await sql`alter table throughline.context_items drop constraint odd`.execute(database.db);
    start();
    await until(async () => (await deadLetters()).length === 0);
    expect(await versionOf('odd')).toBe(1);
  });

  it('say that they are stuck where nobody runs, and live where somebody does', async () => {
    await ownedBy(randomUUID());
    await history.append('a', created);
    expect(await status()).toMatchObject({
      ...{ state: 'stuck', reason: 'no projector is running', lagEvents: 1, deadLetters: 0 },
    });
    await caughtUp(start());
    expect(await status()).toMatchObject({ state: 'live', lagEvents: 0, lagSeconds: 0 });
  });

  it('leave rows alone that belong to another log, or to newer code, and say so', async () => {
    await ownedBy(randomUUID());
    const failures: string[] = [];
    const failed = (error: unknown) => void failures.push(String(error));
    await sql`update throughline.projections set version = 1000`.execute(database.db);
    const projector = new Projector(database.db, store, { failed });
    running.push(projector);
    projector.start();
    await until(() => Promise.resolve(failures.some((text) => text.includes('upgrade'))));
    await sql`
      update throughline.projections set version = 1, store_identity = 'another'`.execute(
      database.db,
    );
    await until(() => Promise.resolve(failures.some((text) => text.includes('another'))));
    expect(await ownersOf()).toEqual([]);
  });

  async function deadLetters() {
    return listDeadLetters(database.db, { projection: sharedContextProjection, limit: 10 });
  }
});

describe('partitions', () => {
  it('spread streams evenly enough, always in the same way', () => {
    const counts = allPartitions.map(() => 0);
    for (let n = 0; n < 8_000; n++) {
      const partition = partitionOf(`context-default:c-${n}`);
      counts[partition] = (counts[partition] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    // Stored positions depend on it: this must never change.
    expect(['a', 'context-default:demo', 'é😀'].map(partitionOf)).toEqual([4, 5, 1]);
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => void setTimeout(resolve, 20));
}
