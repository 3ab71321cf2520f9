import { endingOf } from '../ending.js';
import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { verdictOf } from '../reviews/newest-review.js';

/** How something ended. `approved`: a review or a signal approved the work. */
export type LastEnded = 'completed' | 'failed' | 'approved';

/** A completed phase does not say whether its work was approved. */
export function lastEnded(items: readonly Item[]): LastEnded | null {
  const ends = items.flatMap(endIn).toSorted((left, right) => right.version - left.version);
  const [last] = ends;
  if (!last) return null;
  const how = last.isPhase ? ends.find(({ isPhase }) => !isPhase)?.how : last.how;
  return last.isPhase && how !== 'approved' ? 'completed' : (how ?? null);
}

const workKinds: ReadonlySet<ItemKind> = new Set(['step', 'task', 'phase']);

type End = Readonly<{ version: number; how: LastEnded; isPhase: boolean }>;

function endIn(item: Item): readonly End[] {
  if (item.kind === 'newest-review' || item.kind === 'newest-signal')
    return [{ version: item.fromVersion, how: endingBy(item), isPhase: false }];
  const ending = workKinds.has(item.kind) ? endingOf(item) : undefined;
  if (!ending) return [];
  const how = ending.failed ? 'failed' : 'completed';
  return [{ version: ending.version, how, isPhase: item.kind === 'phase' }];
}

/** What a review or a signal says of the work. */
export function endingBy(newest: Pick<Item, 'state'>): LastEnded {
  const verdict = verdictOf(newest);
  if (verdict === 'approved') return 'approved';
  return verdict === 'implemented' ? 'completed' : 'failed';
}
