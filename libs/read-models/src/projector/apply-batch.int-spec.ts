import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import { type StoredEvent } from '#event-sourcing';
import { contextStream } from '#shared-context';
import { did, listenToStatements, readLog, useTestStore, sized } from '#testing';

import { ContextReader } from '../contexts/context-reader.js';
import { liveTables } from '../tables.js';
import { applyBatch, applyParts } from './apply-batch.js';
import { listDeadLetters } from './dead-letters.js';
import { openProjection, takePartitions } from './partition-rows.js';
import { Partitions } from './partitions.js';
import { maxPartBytes } from './project-batch.js';
import { retryDeadLetter } from './retry-dead-letter.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';

const valueBytes = 500_000;
const large = { text: 'x'.repeat(valueBytes) };
const created = did('ContextCreated', {});
const patch = (name: string, value: object) =>
  did('GlobalContextSet', { values: { [name]: { ...value } } });

type Part = Readonly<{ events: number; loaded: number; statements: number }>;

describe('a batch with large values', () => {
  const on = useTestStore();

  const begin = async () => {
    const identity = await on.store.identity();
    const origin = { version: sharedContextVersion, identity };
    await openProjection(on.db, sharedContextProjection, origin);
    const owner = randomUUID();
    const owned = await takePartitions(on.db, sharedContextProjection, owner);
    const partitions = new Partitions(owned, on.store);
    const rows = { projection: sharedContextProjection, tables: liveTables, store: on.store };
    return { worker: { db: on.db, owner, ...rows }, partitions };
  };
  const rest = async (partitions: Partitions): Promise<StoredEvent[]> =>
    readLog(on.store, partitions.earliest());

  /** Applies the remaining events as one batch, or only the first `maxParts` parts of it. */
  const project = async (maxParts = Infinity): Promise<Part[]> => {
    const { worker, partitions } = await begin();
    const sent = listenToStatements(on.pool);
    const parts = applyParts(worker, partitions, await rest(partitions));
    const applied: Part[] = [];
    while (applied.length < maxParts) {
      let events: number | undefined;
      const { characters, statements } = await sent.costs(async () => {
        const { value } = await parts.next();
        events = value?.events;
      });
      if (events === undefined) break;
      applied.push({ events, loaded: characters, statements });
    }
    return applied;
  };
  /** Bytes of the item rows in the table, by the transaction that wrote them. */
  const writtenBytes = async (): Promise<number[]> => {
    const { rows } = await sql<{ bytes: string }>`
      select sum(octet_length(state) + octet_length(body)) as bytes
      from throughline.context_items group by xmin::text`.execute(on.db);
    return rows.map(({ bytes }) => Number(bytes));
  };
  const countedEvents = async (): Promise<number> => {
    const { rows } = await sql<{ events: number }>`
      select sum(events)::int as events from throughline.projection_partitions`.execute(on.db);
    return rows[0]?.events ?? 0;
  };
  const deadLetters = () =>
    listDeadLetters(on.db, { projection: sharedContextProjection, limit: 10 });
  const valueOf = async (contextId: string, name: string) => {
    const reader = new ContextReader(on.db, on.store);
    const keys = [{ kind: 'global' as const, key: name }];
    const id = { workspace: 'default', contextId };
    const { head, state } = await reader.readProjectedRows(id, { keys, bodies: true }, {});
    return { version: head?.version, value: state.get('global', name)?.body };
  };
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`m-${n}`, n]));
  const patchInTurn = async (contexts: readonly string[], count: number) => {
    for (const id of contexts) await on.history.append(id, created, patch('v', large));
    for (let n = 0; n < count; n++)
      for (const id of contexts) await on.history.append(id, patch('v', { [`m-${n}`]: n }));
  };
  const patchOften = async (contextId: string, count: number) => {
    for (let n = 0; n < count; n++)
      await on.history.append(contextId, patch('v', { [`m-${n}`]: n }));
  };

  it.each(sized([20], [20, 60]))(
    'writes a bounded number of bytes in each transaction for %i events',
    async (count) => {
      await on.history.append('c', created, patch('v', large));
      await patchOften('c', count);
      const parts = await project();
      const written = await writtenBytes();
      expect(Math.max(...written)).toBeLessThan(maxPartBytes + 2 * valueBytes);
      expect(parts.length).toBe(
        Math.ceil(((count + 1) * valueBytes) / (maxPartBytes + valueBytes)),
      );
      expect(parts.reduce((sum, { events }) => sum + events, 0)).toBe(count + 2);
      expect(await valueOf('c', 'v')).toEqual({
        version: count + 2,
        value: { ...large, ...members(count) },
      });
    },
  );

  it.each(sized([20], [20, 60]))(
    'reads a bounded number of bytes in each transaction for %i contexts',
    async (count) => {
      const contexts = Array.from({ length: count }, (_, n) => `c-${n}`);
      for (const id of contexts) await on.history.append(id, created, patch('v', large));
      await project();
      for (const id of contexts) await on.history.append(id, patch('v', { more: 1 }));
      const parts = await project();
      expect(parts.length).toBeLessThan(count / 6);
      for (const { loaded } of parts) expect(loaded).toBeLessThan(maxPartBytes + 2 * valueBytes);
      for (const id of contexts)
        expect(await valueOf(id, 'v')).toEqual({ version: 3, value: { ...large, more: 1 } });
    },
  );

  it('applies an event that exceeds the limit in a separate transaction', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `v-${n}`);
    await on.history.append('c', created);
    for (const name of names) await on.history.append('c', patch(name, large));
    await project();
    const values = (n: number) => Object.fromEntries(names.map((name) => [name, { n }]));
    for (const n of [1, 2, 3])
      await on.history.append('c', did('GlobalContextSet', { values: values(n) }));
    expect((await project()).map(({ events }) => events)).toEqual([1, 1, 1]);
    expect(await valueOf('c', 'v-11')).toEqual({ version: 16, value: { ...large, n: 3 } });
  });

  it.each(sized([20], [20, 60]))(
    'writes a bounded number of bytes after a restore for %i events',
    async (count) => {
      await on.history.append('c', created, patch('v', large));
      await on.history.append('c', did('ContextRestored', { version: 2 }));
      await patchOften('c', count);
      await project();
      const together = 8;
      expect(Math.max(...(await writtenBytes()))).toBeLessThan(
        maxPartBytes + (together + 1) * valueBytes,
      );
      const reader = new ContextReader(on.db, on.store);
      const { head, state } = await reader.readProjectedRows(
        { workspace: 'default', contextId: 'c' },
        { kinds: ['global'] },
        {},
      );
      expect(head?.version).toBe(count + 3);
      expect(state.get('global', 'v')?.body).toEqual({ ...large, ...members(count) });
    },
  );

  it('neither loses nor repeats an event if it stops between two parts', async () => {
    for (const id of ['a', 'b', 'r']) await on.history.append(id, created, patch('v', large));
    await on.history.append('r', did('ContextRestored', { version: 2 }));
    for (let n = 0; n < 15; n++)
      for (const id of ['a', 'b', 'r']) await on.history.append(id, patch('v', { [`m-${n}`]: n }));
    let [applied, runs] = [0, 0];
    for (let part; (part = (await project(1))[0]); runs++) {
      applied += part.events;
      expect(await countedEvents()).toBe(applied);
    }
    expect(runs).toBeGreaterThan(2);
    expect(applied).toBe(52);
    for (const [id, version] of [
      ['a', 17],
      ['b', 17],
      ['r', 18],
    ] as const)
      expect(await valueOf(id, 'v')).toEqual({ version, value: { ...large, ...members(15) } });
  });

  it('parks a context only in the part that holds its unreadable event', async () => {
    await patchInTurn(['a', 'bad'], 15);
    const unreadable = {
      eventId: randomUUID(),
      type: 'FromTheFuture',
      data: '{}',
      metadata: '{}',
    };
    await on.store.append(
      contextStream({ workspace: 'default', contextId: 'bad' }),
      [unreadable],
      17,
    );
    await patchOften('a', 3);
    await project(1);
    expect(await deadLetters()).toEqual([]);
    expect((await project()).length).toBeGreaterThan(1);
    expect(await deadLetters()).toMatchObject([{ contextId: 'bad', version: 18, attempts: 1 }]);
    const value = { ...large, ...members(15) };
    expect(await valueOf('bad', 'v')).toEqual({ version: 17, value });
    expect(await valueOf('a', 'v')).toEqual({ version: 20, value });
    expect(await countedEvents()).toBe(38);
  });

  it('preserves the earlier parts of a context that fails in a later part', async () => {
    await patchInTurn(['a', 'bad'], 15);
    await sql`
      alter table throughline.context_items
        add constraint odd check (context_id <> 'bad' or from_version < 14)`.execute(on.db);
    expect((await project()).length).toBeGreaterThan(2);
    const [letter] = await deadLetters();
    const { version } = await valueOf('bad', 'v');
    expect(version).toBeGreaterThan(2);
    expect(letter).toMatchObject({ contextId: 'bad', version: (version ?? 0) + 1, attempts: 1 });
    const value = { ...large, ...members(15) };
    expect(await valueOf('a', 'v')).toEqual({ version: 17, value });
    await sql`alter table throughline.context_items drop constraint odd`.execute(on.db);
    await expect(retryDeadLetter(on, letter?.id ?? '')).resolves.toEqual({ done: true });
    expect(await valueOf('bad', 'v')).toEqual({ version: 17, value });
  });

  it('decodes its events before the transaction begins', async () => {
    await on.history.append('c', created, patch('v', large));
    const { worker, partitions } = await begin();
    let reads = 0;
    const counted = (event: StoredEvent): StoredEvent => {
      const read = () => {
        reads++;
        return event.data;
      };
      return Object.defineProperty({ ...event }, 'data', { get: read });
    };
    const batch = (await rest(partitions)).map(counted);
    let before = 0;
    on.pool.once('acquire', () => (before = reads));
    expect(await applyBatch(worker, partitions, batch)).toMatchObject({ events: 2 });
    expect(before).toBeGreaterThanOrEqual(2);
    expect(reads).toBe(before);
  });
});
