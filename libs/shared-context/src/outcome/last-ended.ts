import { endingOf } from '../ending.js';
import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { verdictOf } from '../reviews/newest-review.js';

/** The result of ended work. `approved`: a review or a signal approved it. */
export type LastEnded = 'completed' | 'failed' | 'approved';

/**
 * The result of the work that ended last. A phase that ended last counts as approved if the work before it was
 * approved.
 */
export function lastEnded(items: readonly Item[]): LastEnded | null {
  const ends = items.flatMap(endsOf).toSorted((left, right) => right.version - left.version);
  const [last] = ends;
  if (!last) return null;
  const how = last.isPhase ? ends.find(({ isPhase }) => !isPhase)?.how : last.how;
  return last.isPhase && how !== 'approved' ? 'completed' : (how ?? null);
}

const workKinds: ReadonlySet<ItemKind> = new Set(['step', 'task', 'phase']);

type WorkEnd = Readonly<{ version: number; how: LastEnded; isPhase: boolean }>;

function endsOf(item: Item): readonly WorkEnd[] {
  if (item.kind === 'newest-review' || item.kind === 'newest-signal')
    return [{ version: item.fromVersion, how: endingBy(item), isPhase: false }];
  const ending = workKinds.has(item.kind) ? endingOf(item) : undefined;
  if (!ending) return [];
  const how = ending.failed ? 'failed' : 'completed';
  return [{ version: ending.version, how, isPhase: item.kind === 'phase' }];
}

/** The verdict of a review or a signal on the work. */
export function endingBy(newest: Pick<Item, 'state'>): LastEnded {
  const verdict = verdictOf(newest);
  if (verdict === 'approved') return 'approved';
  return verdict === 'implemented' ? 'completed' : 'failed';
}
