import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';

type IsOpen = (state: Item['state']) => boolean;

/** Whether an item needs further work, by kind, in the order in which kinds are listed. */
const openPredicates: Readonly<Partial<Record<ItemKind, IsOpen>>> = {
  step: ({ status }) => status === 'started',
  task: ({ status }) => status !== 'completed',
  phase: ({ status }) => status === 'started',
  blocker: isOpen,
  issue: isOpen,
  handover: isOpen,
  'input-request': isOpen,
  decision: ({ status }) => status === 'pending',
  loop: ({ tripped }) => tripped === true,
};

/** Kinds of the items that {@link openItems} returns. */
export const openKinds = Object.keys(openPredicates) as readonly ItemKind[];

/**
 * Items that need further work: running steps and phases, incomplete tasks, open blockers, issues, handovers and
 * requests for input, decisions that wait for approval, and tripped circuit breakers. Sorted by kind, then oldest
 * first.
 */
export function openItems(items: Iterable<Item>): readonly Item[] {
  const open = [...items].filter(({ kind, state }) => openPredicates[kind]?.(state) === true);
  return open.toSorted(
    (left, right) =>
      openKinds.indexOf(left.kind) - openKinds.indexOf(right.kind) ||
      left.fromVersion - right.fromVersion ||
      (left.key < right.key ? -1 : 1),
  );
}

function isOpen({ status }: Item['state']): boolean {
  return status === 'open';
}
