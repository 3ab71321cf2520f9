import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { contextStream } from '#shared-context';

import { findHeads } from '../contexts/head-rows.js';
import { liveTables } from '../tables.js';
import { decodeBatch } from './context-runs.js';
import {
  type DeadLetter,
  type QuarantinedContext,
  findDeadLetter,
  listDeadLetters,
  quarantine,
  deleteDeadLetter,
} from './dead-letters.js';
import { MissingEventsError } from './missing-events.js';
import { partitionOf } from './partition.js';
import { projectAlone } from './project-alone.js';
import { sharedContextProjection } from './shared-context.projection.js';

export type Stores = Readonly<{ db: Kysely<Database>; store: EventStore }>;

const page = 500;

/**
 * Applies the events that a quarantined context missed. `done` if no dead letter with the id remains; else the dead
 * letter, with the new error and one more attempt.
 */
export async function retryDeadLetter(
  stores: Stores,
  id: string,
): Promise<Readonly<{ done: true }> | Readonly<{ done: false; deadLetter: DeadLetter }>> {
  for (;;) {
    const deadLetter = await findDeadLetter(stores.db, id);
    // Dead letters of a rebuild, or of rows that were replaced, do not concern the live rows.
    if (deadLetter?.projection !== sharedContextProjection) return { done: true };
    const outcome = await applyPage(stores, deadLetter);
    if (outcome === 'done') return { done: true };
    if (outcome !== 'more') {
      const now = await findDeadLetter(stores.db, id);
      return now ? { done: false, deadLetter: now } : { done: true };
    }
  }
}

/** Contexts of these partitions; `which` restricts them further. */
export type RetrySelection = Readonly<{
  partitions: ReadonlySet<number>;
  which?: (letter: DeadLetter) => boolean;
}>;

/**
 * Retries quarantined contexts until `signal` aborts; returns the ones that fail. After all retries, rejects with the
 * first error of a retry that could not be made.
 */
export async function retryQuarantined(
  stores: Stores,
  retried: RetrySelection,
  signal: AbortSignal,
): Promise<QuarantinedContext[]> {
  const failed: QuarantinedContext[] = [];
  const errors: unknown[] = [];
  for await (const { id } of lettersOf(stores.db, retried)) {
    if (signal.aborted) break;
    try {
      const outcome = await retryDeadLetter(stores, id);
      if (!outcome.done) failed.push(outcome.deadLetter);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return failed;
}

async function* lettersOf(
  db: Stores['db'],
  { partitions, which = () => true }: RetrySelection,
): AsyncGenerator<DeadLetter> {
  const projection = sharedContextProjection;
  let after: DeadLetter | undefined;
  for (;;) {
    const letters = await listDeadLetters(db, { projection, after, limit: page });
    for (const letter of letters)
      if (partitions.has(partitionOf(contextStream(letter))) && which(letter)) yield letter;
    after = letters.at(-1);
    if (letters.length < page) return;
  }
}

/**
 * Applies one page of missing events. Locks the partition's row, so that the projection does not advance in the
 * meantime: it skips events of a quarantined context, and must not skip any once the context is no longer quarantined.
 */
async function applyPage(
  { db, store }: Stores,
  letter: DeadLetter,
): Promise<'done' | 'more' | 'failed'> {
  const { projection } = letter;
  const stream = contextStream(letter);
  return db.transaction().execute(async (trx) => {
    const { rows: locked } = await sql`
      select from throughline.projection_partitions
      where projection = ${projection} and partition = ${partitionOf(stream)} for update`.execute(
      trx,
    );
    // A rebuild has switched in the meantime: the live rows have other dead letters.
    if (locked.length === 0) return 'more';
    // Another process has just applied the events, and the projection may have continued.
    const current = await findDeadLetter(trx, letter.id);
    if (!current) return 'done';
    const [head] = await findHeads(trx, liveTables, [letter]);
    const from = (head?.version ?? 0) + 1;
    const events = await store.readStream(stream, { from, limit: page });
    const rows = { projection, tables: liveTables, store };
    const { applied, quarantined } = await projectAlone(
      trx,
      rows,
      await decodeBatch(events),
      letter,
    );
    if (quarantined.length > 0) return 'failed';
    if (events.length === page || applied < events.length) return 'more';
    return end(trx, current, from + applied - 1);
  });
}

/** The read may have ended before the failed event. Without its dead letter, the context would never be completed. */
async function end(
  trx: Transaction<Database>,
  letter: DeadLetter,
  reached: number,
): Promise<'done' | 'failed'> {
  if (reached >= letter.version) {
    await deleteDeadLetter(trx, letter.id);
    return 'done';
  }
  const error = String(new MissingEventsError(reached + 1, letter.version));
  await quarantine(trx, letter.projection, [{ ...letter, error }]);
  return 'failed';
}
