import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type ItemKey } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { ContextProjection } from '../contexts/project-events.js';
import { writeChanges } from './context-rows.js';
import { type ContextRun, type ProjectionRows, idText, poisonOf } from './context-runs.js';
import { type CurrentRows, type RunEvent, keyText, loadCurrent } from './load-current.js';

/** Events before `end` are applied; their rows come to `bytes`. */
export type AppliedUntil = Readonly<{ end: number; bytes: number }>;

/**
 * Applies events of contexts that stand on nothing else, in their order, until the rows they read or write come to `most`
 * bytes: at least one event, and the one that exceeds the limit.
 */
export async function projectPlain(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  runs: readonly ContextRun[],
  most: number,
): Promise<AppliedUntil> {
  const events = runs
    .flatMap((run) => run.events.map((placed) => ({ ...placed, run })))
    .toSorted((left, right) => left.nth - right.nth);
  const current = await loadCurrent(trx, rows, events, most);
  const folded = await runInSlices(fold(current, events, most));
  const changes = [...folded.projections.values()].map((projection) => projection.changes());
  if (changes.length > 0) await writeChanges(trx, rows.tables, changes);
  return folded;
}

type Projections = ReadonlyMap<ContextRun, ContextProjection>;
type Folded = AppliedUntil & Readonly<{ projections: Projections }>;

function* fold(current: CurrentRows, events: readonly RunEvent[], most: number): Steps<Folded> {
  const folding = new BatchFold(current);
  const { projections } = folding;
  for (const event of events) {
    const { bytes } = folding;
    if (event.nth >= current.end || bytes >= most) return { end: event.nth, bytes, projections };
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

/** None of its events is applied. */
function poisonedRun({ id, events: [first] }: ContextRun, error: unknown): ContextRun['poison'] {
  if (!first) throw new Error('a run without events cannot fail');
  return { nth: first.nth, context: poisonOf(id, first.event, error) };
}
