import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { loopFacts } from '../loops/loop.item.js';
import { completedPhases } from '../phases/phase.document.js';
import { type BaselineCounters } from './baseline.item.js';

/** Counts tasks, phases, loops and reviews, and adds the counts of the baseline. */
export function countWork(items: readonly Item[], baseline: BaselineCounters) {
  const tasks = ofKind('task', items);
  const { reviews, approved } = countReviews(items, baseline);
  const phasesCompleted = sum(baseline.phasesCompleted, completedPhases(items).length);
  const totalIterations = ofKind('loop', items).reduce(
    (total, loop) => total + loopFacts(loop).total,
    sum(baseline.totalIterations),
  );
  return {
    totalTasks: sum(baseline.totalTasks, tasks.length),
    completedTasks: sum(baseline.completedTasks, tasks.filter(isCompleted).length),
    phasesCompleted,
    totalIterations,
    averageIterationCount: ratio(totalIterations, phasesCompleted),
    reviewIterations: reviews,
    reviewPassRate: ratio(approved, reviews),
  };
}

/** Rounds to two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export function ofKind(itemKind: ItemKind, items: readonly Item[]): readonly Item[] {
  return items.filter(({ kind }) => kind === itemKind);
}

function countReviews(items: readonly Item[], baseline: BaselineCounters) {
  const reviews = ofKind('review', items);
  const approved = reviews.filter(({ state }) => String(state['status']).startsWith('APPROVED'));
  return {
    reviews: sum(baseline.reviewIterations, reviews.length),
    approved: sum(baseline.approvedReviews, approved.length),
  };
}

function isCompleted({ state }: Item): boolean {
  return state['status'] === 'completed';
}

function sum(imported: number | undefined, counted = 0): number {
  return (imported ?? 0) + counted;
}

/** Null if there is nothing to divide by. */
function ratio(part: number, total: number): number | null {
  return total > 0 ? rounded(part / total) : null;
}
