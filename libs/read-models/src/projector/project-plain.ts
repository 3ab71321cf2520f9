import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type ItemKey } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { ContextProjection } from '../contexts/project-events.js';
import { writeChanges } from './context-rows.js';
import { type ContextRun, type ProjectionRows, idText, poisonOf } from './context-runs.js';
import { type CurrentRows, type RunEvent, keyText, loadCurrent } from './load-current.js';

/** Events before `end` are applied; `bytes` is the size of their rows. */
export type AppliedUntil = Readonly<{ end: number; bytes: number }>;

/**
 * Applies events of contexts without a base, in order, until the rows they read or write reach `maxBytes`: at least one
 * event, including the event that exceeds the limit.
 */
export async function projectPlain(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  runs: readonly ContextRun[],
  maxBytes: number,
): Promise<AppliedUntil> {
  const events = runs
    .flatMap((run) => run.events.map((placed) => ({ ...placed, run })))
    .toSorted((left, right) => left.nth - right.nth);
  const current = await loadCurrent(trx, rows, events, maxBytes);
  const folded = await runInSlices(fold(current, events, maxBytes));
  const changes = [...folded.projections.values()].map((projection) => projection.changes());
  if (changes.length > 0) await writeChanges(trx, rows.tables, changes);
  return folded;
}

type Projections = ReadonlyMap<ContextRun, ContextProjection>;
type FoldResult = AppliedUntil & Readonly<{ projections: Projections }>;

function* fold(
  current: CurrentRows,
  events: readonly RunEvent[],
  maxBytes: number,
): Steps<FoldResult> {
  const folding = new BatchFold(current);
  const { projections } = folding;
  for (const event of events) {
    const { bytes } = folding;
    if (event.nth >= current.end || bytes >= maxBytes)
      return { end: event.nth, bytes, projections };
    yield* folding.apply(event);
    yield;
  }
  return { end: Infinity, bytes: folding.bytes, projections };
}

/** Folds the events of many contexts in their order. */
class BatchFold {
  readonly projections = new Map<ContextRun, ContextProjection>();
  bytes = 0;
  readonly #failed = new Set<ContextRun>();

  constructor(private readonly current: CurrentRows) {}

  *apply({ run, event }: RunEvent): Steps<void> {
    if (this.#failed.has(run)) return;
    const projection = this.projections.get(run) ?? this.#begin(run, event);
    const before = projection.bytes;
    try {
      yield* projection.apply(event);
      this.bytes += projection.bytes - before;
    } catch (error) {
      this.#failed.add(run);
      this.projections.delete(run);
      run.poison = poisonedRun(run, error);
    }
  }

  #begin(run: ContextRun, first: RunEvent['event']): ContextProjection {
    const { id, head } = run;
    const loaded = this.current.items.get(idText(id));
    const find = (key: ItemKey) => loaded?.get(keyText(key));
    const projection = new ContextProjection({ id, head, current: { find } }, first);
    this.projections.set(run, projection);
    return projection;
  }
}

/** The run as failed at its first event: none of its events is applied. */
function poisonedRun({ id, events: [first] }: ContextRun, error: unknown): ContextRun['poison'] {
  if (!first) throw new Error('a run without events cannot fail');
  return { nth: first.nth, context: poisonOf(id, first.event, error) };
}
