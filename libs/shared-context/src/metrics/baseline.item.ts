import { type RecordedOf } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

export type BaselineCounters = RecordedOf<'BaselineImported'>['data']['counters'];

export const baselineKey: ItemKey = { kind: 'baseline', key: '' };

/** The imported baseline; undefined if there is none. */
export function baselineIn(
  items: Iterable<Item>,
): RecordedOf<'BaselineImported'>['data'] | undefined {
  for (const { kind, body } of items)
    // Only baseline.fold.ts writes the body of a baseline.
    if (kind === 'baseline') return body as RecordedOf<'BaselineImported'>['data'] | undefined;
  return undefined;
}

/** The initial values of the metrics; empty without a baseline. */
export function countersOf(baseline: Item | undefined): BaselineCounters {
  // Only baseline.fold.ts writes the body of a baseline.
  const body = baseline?.body as RecordedOf<'BaselineImported'>['data'] | undefined;
  return body ? body.counters : {};
}
