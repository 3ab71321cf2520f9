import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { v7 } from 'uuid';

import { type Database } from '#database';
import { InMemoryEventStore, withAppendIndex } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { contextStream } from '#shared-context';

import { findAppendAround } from './inside-append.js';

const id = { workspace: 'default', contextId: 'c' };

type AppendPlace = Readonly<{ index: number; count: number }>;

/**
 * The append around each version of a stream whose event ids encode these indexes; undefined for an id that encodes
 * none.
 */
async function appendsAround(...places: readonly (AppendPlace | undefined)[]) {
  const store = new InMemoryEventStore();
  const stored = places.map((place) => ({
    eventId: place ? withAppendIndex(v7(), place) : v7(),
    type: 'T',
    data: '{}',
    metadata: '{}',
  }));
  await store.append(contextStream(id), stored, 'no-stream');
  const reader = new ContextReader(nowhere, store);
  return Promise.all(places.map((_, at) => findAppendAround(reader, id, at + 1)));
}

/** A database for functions that must not use one: every query returns no rows. */
const nowhere = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const fullAppend = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, count }));

describe('the append around a version', () => {
  it('is found for versions inside an append', async () => {
    const range = { before: 1, end: 4 };
    expect(await appendsAround(undefined, ...fullAppend(3), undefined, ...fullAppend(2))).toEqual([
      undefined,
      range,
      range,
      undefined,
      undefined,
      { before: 5, end: 7 },
      undefined,
    ]);
    expect(await appendsAround(...fullAppend(2))).toEqual([{ before: null, end: 2 }, undefined]);
  });

  it.each<[string, readonly (AppendPlace | undefined)[]]>([
    [
      'more events before it than exist',
      [
        { index: 3, count: 5 },
        { index: 4, count: 5 },
      ],
    ],
    ['more events after it than exist', [undefined, { index: 0, count: 4_096 }, undefined]],
    ['events that are appends of their own', [{ index: 0, count: 3 }, undefined, undefined]],
    ['events of another append', [{ index: 0, count: 3 }, undefined, ...fullAppend(2)]],
    [
      'the end of a longer append',
      [
        { index: 0, count: 2 },
        { index: 2, count: 3 },
      ],
    ],
    ['the beginning of a shorter append', [{ index: 0, count: 2 }, ...fullAppend(3).slice(1)]],
  ])('is not found if the id implies %s', async (_, places) => {
    expect((await appendsAround(...places))[0]).toBeUndefined();
  });

  it('is not found if only the first part of the append was imported, even after later writes', async () => {
    const part = fullAppend(3).slice(0, 2);
    expect(await appendsAround(...part)).toEqual([undefined, undefined]);
    expect(await appendsAround(...part, undefined)).toEqual([undefined, undefined, undefined]);
    expect(await appendsAround(...part, ...fullAppend(3))).toEqual([
      undefined,
      undefined,
      { before: 2, end: 5 },
      { before: 2, end: 5 },
      undefined,
    ]);
  });
});
