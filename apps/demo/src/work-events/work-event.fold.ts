import { type FinalItem, type WorkEvent, type WorkEventType } from './work-event.schema.js';

/** Types that say what becomes of an item's status, beside its creation. */
const statusTypes: ReadonlySet<WorkEventType> = new Set(['status_changed', 'closed', 'reopened']);

/** Items by id: those whose status the log speaks of, beyond creating them. */
export function itemsWithStatusEvents(events: readonly WorkEvent[]): ReadonlySet<string> {
  return new Set(events.filter(({ type }) => statusTypes.has(type)).map(({ itemId }) => itemId));
}

/** The status of every item as the log alone gives it, without a store. */
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

/** How many of the items with status events end as recorded. */
export function countSupported(
  events: readonly WorkEvent[],
  finals: readonly FinalItem[],
  ignored: readonly WorkEventType[] = [],
): number {
  const statuses = foldStatuses(events, ignored);
  const spoken = itemsWithStatusEvents(events);
  return finals.filter(({ id, status }) => spoken.has(id) && statuses.get(id) === status).length;
}
