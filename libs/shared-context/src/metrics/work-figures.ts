import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { loopFacts } from '../loops/loop.item.js';
import { completedPhases } from '../phases/phase.document.js';
import { type BaselineCounters } from './baseline.item.js';

/** What there is of tasks, phases, loops and reviews, beside what was taken over. */
export function countWork(items: readonly Item[], taken: BaselineCounters) {
  const tasks = ofKind('task', items);
  const { reviews, approved } = countReviews(items, taken);
  const phasesCompleted = sum(taken.phasesCompleted, completedPhases(items).length);
  const totalIterations = ofKind('loop', items).reduce(
    (total, loop) => total + loopFacts(loop).total,
    sum(taken.totalIterations),
  );
  return {
    totalTasks: sum(taken.totalTasks, tasks.length),
    completedTasks: sum(taken.completedTasks, tasks.filter(isCompleted).length),
    phasesCompleted,
    totalIterations,
    averageIterationCount: ratio(totalIterations, phasesCompleted),
    reviewIterations: reviews,
    reviewPassRate: ratio(approved, reviews),
  };
}

/** To two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export function ofKind(wanted: ItemKind, items: readonly Item[]): readonly Item[] {
  return items.filter(({ kind }) => kind === wanted);
}

function countReviews(items: readonly Item[], taken: BaselineCounters) {
  const reviews = ofKind('review', items);
  const approved = reviews.filter(({ state }) => String(state['status']).startsWith('APPROVED'));
  return {
    reviews: sum(taken.reviewIterations, reviews.length),
    approved: sum(taken.approvedReviews, approved.length),
  };
}

function isCompleted({ state }: Item): boolean {
  return state['status'] === 'completed';
}

function sum(taken: number | undefined, here = 0): number {
  return (taken ?? 0) + here;
}

/** Null if there is nothing to divide by. */
function ratio(part: number, whole: number): number | null {
  return whole > 0 ? rounded(part / whole) : null;
}
