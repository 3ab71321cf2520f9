import { type FinalItem, type WorkEvent, type WorkEventType } from './work-event.schema.js';

/** Types that change the status of an item after its creation. */
const statusTypes: ReadonlySet<WorkEventType> = new Set(['status_changed', 'closed', 'reopened']);

/** Returns the ids of the items whose status changes in the log after their creation. */
export function itemsWithStatusEvents(events: readonly WorkEvent[]): ReadonlySet<string> {
  return new Set(events.filter(({ type }) => statusTypes.has(type)).map(({ itemId }) => itemId));
}

/** Computes the status of every item from the log alone. */
export function foldStatuses(
  events: readonly WorkEvent[],
  ignored: readonly WorkEventType[] = [],
): ReadonlyMap<string, string> {
  const statuses = new Map<string, string>();
  for (const { itemId, type, changes } of events) {
    const { status } = changes;
    if (typeof status === 'string' && !ignored.includes(type)) statuses.set(itemId, status);
  }
  return statuses;
}

/** Counts the items with status events whose computed status is the recorded final one. */
export function countSupported(
  events: readonly WorkEvent[],
  finals: readonly FinalItem[],
  ignored: readonly WorkEventType[] = [],
): number {
  const statuses = foldStatuses(events, ignored);
  const itemsWithStatus = itemsWithStatusEvents(events);
  return finals.filter(({ id, status }) => itemsWithStatus.has(id) && statuses.get(id) === status)
    .length;
}
