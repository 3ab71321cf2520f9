import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import { type EventStore, StoreUnavailableError } from '#event-sourcing';
import { contextStream } from '#shared-context';
import { did, useTestStore } from '#testing';

import { liveTables } from '../tables.js';
import { applyBatch } from './apply-batch.js';
import { listDeadLetters } from './dead-letters.js';
import { partitionOf } from './partition.js';
import { openProjection, takePartitions } from './partition-rows.js';
import { Partitions } from './partitions.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';
import { abortableStore } from './abortable-store.js';

const output = (n: number) => did('StepOutputAdded', { stepId: 's', output: n });

describe('a context whose base is not projected yet', () => {
  const on = useTestStore();

  beforeEach(async () => {
    await on.history.append('source', did('ContextCreated', {}), output(1));
    const source = { contextId: 'source', version: 2 };
    await on.history.append('fork', did('ContextForked', { source }), output(2));
  });

  /** Applies only the events of the fork, as if another projector had its source. */
  const projectFork = async (store: EventStore) => {
    const owner = randomUUID();
    await openProjection(on.db, sharedContextProjection, {
      version: sharedContextVersion,
      identity: await on.store.identity(),
    });
    const owned = await takePartitions(on.db, sharedContextProjection, owner);
    const stream = contextStream({ workspace: 'default', contextId: 'fork' });
    const own = owned.filter(({ partition }) => partition === partitionOf(stream));
    const batch = await on.store.readStream(stream, { from: 1, limit: 10 });
    const rows = { projection: sharedContextProjection, tables: liveTables, store };
    return applyBatch({ db: on.db, owner, ...rows }, new Partitions(own, store), batch);
  };
  const deadLetters = () =>
    listDeadLetters(on.db, { projection: sharedContextProjection, limit: 10 });
  const rowsOf = async () => {
    const { rows: heads } = await sql<{ version: number }>`
      select version from throughline.contexts where context_id = 'fork' and version > 0`.execute(
      on.db,
    );
    const { rows: lineages } = await sql<{ base_version: number }>`
      select base_version from throughline.context_lineages where context_id = 'fork'`.execute(
      on.db,
    );
    return {
      versions: heads.map(({ version }) => version),
      bases: lineages.map((row) => row.base_version),
    };
  };
  const failingOnce = (failure: Error): EventStore => {
    let isDown = true;
    const store = abortableStore(new AbortController().signal, on.store);
    const readStream: EventStore['readStream'] = async (...read) => {
      if (!isDown) return store.readStream(...read);
      isDown = false;
      throw failure;
    };
    return { ...store, readStream };
  };

  it('is not quarantined after an outage of the store, and loses no event', async () => {
    const store = failingOnce(new StoreUnavailableError('the store does not answer'));
    await expect(projectFork(store)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await deadLetters()).toEqual([]);
    expect(await rowsOf()).toEqual({ versions: [], bases: [] });
    expect(await projectFork(store)).toEqual({ events: 2, quarantined: [] });
    expect(await rowsOf()).toEqual({ versions: [2], bases: [2] });
  });

  it('is quarantined after a failure that is not transient', async () => {
    const store = failingOnce(new Error('no code can fold this'));
    expect(await projectFork(store)).toMatchObject({
      quarantined: [{ contextId: 'fork', version: 1 }],
    });
    expect(await deadLetters()).toMatchObject([{ contextId: 'fork', version: 1 }]);
    expect(await rowsOf()).toEqual({ versions: [], bases: [] });
  });

  it('is not quarantined if its rows cannot be written', async () => {
    await sql`
      create function throughline.full() returns trigger language plpgsql as
        $$ begin raise exception using errcode = '53100'; end $$`.execute(on.db);
    await sql`
      create trigger full_disk before insert on throughline.context_lineages
        for each statement execute function throughline.full()`.execute(on.db);
    await expect(projectFork(on.store)).rejects.toThrow('the disk of the database is full');
    expect(await deadLetters()).toEqual([]);
    await sql`drop trigger full_disk on throughline.context_lineages`.execute(on.db);
    await projectFork(on.store);
    expect(await rowsOf()).toEqual({ versions: [2], bases: [2] });
  });
});
