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
import { type QuarantinedContext, quarantine } from './dead-letters.js';
import { isLayered, projectLayered } from './project-layered.js';
import { type AppliedUntil, projectPlain } from './project-plain.js';

/**
 * A transaction ends with the event that makes one of these reach this size: the events, the rows they read, the rows
 * they write. An event changes at most 8 MiB of values, so that a transaction holds some tens of megabytes, regardless
 * of the size of the batch.
 */
export const maxPartBytes = 4 * 1_048_576;

/** `applied`: how many of the first events of a batch were applied; `bytes`: the size of their rows. */
export type ProjectedPart = Readonly<{
  applied: number;
  bytes: number;
  quarantined: readonly QuarantinedContext[];
}>;

/**
 * Applies the first events of a batch in one transaction: as many as {@link maxPartBytes} allows, at least one. Skips
 * events that the rows already hold, so that redelivery is harmless; rows may be ahead of `applied`. `retried` is a
 * quarantined context that is retried.
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
  // After the others, so that most bases are projected by then.
  const { end, bytes } = await projectAllLayered(trx, rows, layered, ended);

  const quarantined = live.flatMap(({ poison }) =>
    poison && poison.nth < end ? poison.context : [],
  );
  if (quarantined.length > 0) await quarantine(trx, rows.projection, quarantined);
  return { applied: Math.min(end, batch.events.length), bytes, quarantined };
}

/** Events that do not fit are left to the next transaction, which skips events that the rows already hold. */
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
      maxBytes: maxPartBytes - bytes,
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
