import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import {
  type ContextRun,
  type DecodedBatch,
  type ProjectionRows,
  openRuns,
  poisonOf,
  split,
} from './context-runs.js';
import { type ParkedContext, park } from './dead-letters.js';
import { isLayered, projectLayered } from './project-layered.js';
import { type AppliedUntil, projectPlain } from './project-plain.js';

/**
 * A transaction ends with the event that makes one of these reach so many bytes: the events themselves, the rows they read,
 * the rows they write. An event changes values of 8 MiB at most, so that a transaction of a few events holds some tens of
 * megabytes, whatever the batch.
 */
export const maxPartBytes = 4 * 1_048_576;

/** The first events of a batch are applied: `taken` of them. Their rows come to `bytes`. */
export type ProjectedPart = Readonly<{
  taken: number;
  bytes: number;
  parked: readonly ParkedContext[];
}>;

/**
 * Applies the first events of a batch in one transaction, as many as {@link maxPartBytes} lets it, at least one. Events the
 * rows already hold are passed over, so redelivery is harmless: rows may be ahead of what is taken. `retried` is a context
 * that is parked and to be tried again.
 */
export async function projectBatch(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  batch: DecodedBatch,
  retried?: ContextId,
): Promise<ProjectedPart> {
  const live = await openRuns(trx, rows, batch, retried);
  const [layered, plain] = split(live, (run) =>
    isLayered(
      run.head,
      run.events.map(({ event }) => event),
    ),
  );
  const ended = await projectPlain(trx, rows, plain, maxPartBytes);
  // Behind the others, so that what they stand on is mostly there.
  const { end, bytes } = await projectAllLayered(trx, rows, layered, ended);

  const parked = live.flatMap(({ poison }) => (poison && poison.nth < end ? poison.context : []));
  if (parked.length > 0) await park(trx, rows.projection, parked);
  return { taken: Math.min(end, batch.events.length), bytes, parked };
}

/** Those that come too late for this transaction are applied by the next one, which passes over what the others have. */
async function projectAllLayered(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  layered: readonly ContextRun[],
  plain: AppliedUntil,
): Promise<AppliedUntil> {
  let { end } = plain;
  let bytes = 0;
  for (const run of layered.toSorted((left, right) => firstOf(left) - firstOf(right))) {
    const placed = run.events.filter(({ nth }) => nth < plain.end);
    const events = placed.map(({ event }) => event);
    const stopped = await projectLayered(trx, rows, run.id, {
      head: run.head,
      events,
      most: maxPartBytes - bytes,
    });
    bytes += stopped.bytes;
    const nth = placed[stopped.applied]?.nth ?? Infinity;
    if (stopped.failure) {
      const { event, error } = stopped.failure;
      run.poison = { nth, context: poisonOf(run.id, event, error) };
    } else end = Math.min(end, nth);
  }
  return { end, bytes: plain.bytes + bytes };
}

function firstOf({ events: [first] }: ContextRun): number {
  return first?.nth ?? Infinity;
}
