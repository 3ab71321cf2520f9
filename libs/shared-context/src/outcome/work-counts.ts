import { type JsonValue } from '#event-sourcing';

import { type Item, type ItemChange, type ItemLookup } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { verdictOf } from '../reviews/newest-review.js';
import { isBlocking } from '../severity.js';

/** Counts of the items that keep a context from being completed. */
export type WorkCounts = Readonly<{
  /** Open blockers, blocked tasks, and artifacts and subjects whose newest review or signal reports a block. */
  blocking: number;
  /** Steps whose newest attempt failed, and artifacts and subjects that the newest review or signal rejects. */
  failing: number;
  /** Open handovers and requests for input. */
  awaited: number;
  /** Decisions that wait for approval. */
  proposed: number;
  /** Tasks that are not completed, and open issues that are critical or high. */
  undone: number;
  /** Tasks, completed or not. */
  tasks: number;
}>;

export const noWorkCounts: WorkCounts = {
  blocking: 0,
  failing: 0,
  awaited: 0,
  proposed: 0,
  undone: 0,
  tasks: 0,
};

type CountableItem = Pick<Item, 'kind' | 'state'>;
type Reader = (item: CountableItem) => readonly (keyof WorkCounts)[];

/** The counts to which an item of a kind contributes. */
const readers: Readonly<Partial<Record<ItemKind, Reader>>> = {
  step: ({ state }) => (state['status'] === 'failed' ? ['failing'] : []),
  task: ({ state }) => countsOfTask(state['status']),
  blocker: (item) => (isOpen(item) ? ['blocking'] : []),
  issue: (item) => (isOpen(item) && isBlocking(item.state['severity']) ? ['undone'] : []),
  handover: (item) => (isOpen(item) ? ['awaited'] : []),
  'input-request': (item) => (isOpen(item) ? ['awaited'] : []),
  decision: ({ state }) => (state['status'] === 'pending' ? ['proposed'] : []),
  'newest-review': countsOfVerdict,
  'newest-signal': countsOfVerdict,
};

/** Kinds of the items that are counted. */
export const countedKinds = Object.keys(readers) as readonly ItemKind[];

export function countWork(items: readonly CountableItem[]): WorkCounts {
  const counts = { ...noWorkCounts };
  for (const item of items) for (const name of namesOf(item)) counts[name]++;
  return counts;
}

/** Updates the counts by the changes of an event. `before`: the items before the event. */
export function advanceCounts(
  { blocking, failing, awaited, proposed, undone, tasks }: WorkCounts,
  changes: readonly ItemChange[],
  before: ItemLookup,
): WorkCounts {
  const counts = { blocking, failing, awaited, proposed, undone, tasks };
  for (const change of changes) {
    if (!(change.kind in readers)) continue;
    const was = before(change.kind, change.key);
    for (const name of was ? namesOf(was) : []) counts[name]--;
    for (const name of 'removed' in change ? [] : namesOf(change)) counts[name]++;
  }
  return counts;
}

function namesOf(item: CountableItem): readonly (keyof WorkCounts)[] {
  return readers[item.kind]?.(item) ?? [];
}

function countsOfTask(status: JsonValue | undefined): readonly (keyof WorkCounts)[] {
  if (status === 'completed') return ['tasks'];
  return status === 'blocked' ? ['tasks', 'undone', 'blocking'] : ['tasks', 'undone'];
}

function countsOfVerdict(item: CountableItem): readonly (keyof WorkCounts)[] {
  const verdict = verdictOf(item);
  if (verdict === 'blocked') return ['blocking'];
  return verdict === 'rejected' ? ['failing'] : [];
}

function isOpen({ state }: CountableItem): boolean {
  return state['status'] === 'open';
}
