import { type RecordedOf } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

export type BaselineCounters = RecordedOf<'BaselineImported'>['data']['counters'];

export const baselineKey: ItemKey = { kind: 'baseline', key: '' };

/** What was taken over from another system; undefined if everything happened here. */
export function baselineIn(
  items: Iterable<Item>,
): RecordedOf<'BaselineImported'>['data'] | undefined {
  for (const { kind, body } of items)
    // Only the fold beside this file writes the body of a baseline.
    if (kind === 'baseline') return body as RecordedOf<'BaselineImported'>['data'] | undefined;
  return undefined;
}

/** What metrics start from; nothing where everything happened here. */
export function countersOf(baseline: Item | undefined): BaselineCounters {
  // Only the fold beside this file writes the body of a baseline.
  const body = baseline?.body as RecordedOf<'BaselineImported'>['data'] | undefined;
  return body ? body.counters : {};
}
