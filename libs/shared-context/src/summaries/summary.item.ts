import { type JsonValue } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

export function summaryKey(summaryId: string): ItemKey {
  return { kind: 'summary', key: summaryId };
}

/** The newest summary and the last version that it covers; the next summary has to begin after it. */
export const summarizedKey: ItemKey = { kind: 'summarized', key: '' };

/** The newest summary and the last version that it covers. */
type SummaryProgress = Readonly<{ summaryId: string; to: number }>;

/** Undefined if nothing was summarized. */
export function summarizedIn(item: Item | undefined): SummaryProgress | undefined {
  const { summaryId, version } = item?.state ?? {};
  return typeof summaryId === 'string' && typeof version === 'number'
    ? { summaryId, to: version }
    : undefined;
}

/** `version`: the version of the summary itself. `covers` has versions of this context; inherited ones are below 1. */
export type SummaryFacts = EventData<'SummaryAdded'> & Readonly<{ version: number }>;

export function summaryFacts({ body, state }: Item): SummaryFacts {
  // Only summary.fold.ts writes the body of these items.
  const payload: EventData<'SummaryAdded'> = body as EventData<'SummaryAdded'> & JsonValue;
  const version = Number(state['version']);
  const inherited = Number(state['countedAs']) - version;
  const { from, to } = payload.covers;
  return { ...payload, covers: { from: from - inherited, to: to - inherited }, version };
}
