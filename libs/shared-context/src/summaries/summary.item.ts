import { type JsonValue } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

export function summaryKey(summaryId: string): ItemKey {
  return { kind: 'summary', key: summaryId };
}

/** Which summary is the newest, and how far it reaches: what the next one has to begin behind. */
export const summarizedKey: ItemKey = { kind: 'summarized', key: '' };

/** How far the newest summary reaches. */
type Summarized = Readonly<{ summaryId: string; to: number }>;

/** Undefined if nothing was summarized. */
export function summarizedIn(item: Item | undefined): Summarized | undefined {
  const { summaryId, version } = item?.state ?? {};
  return typeof summaryId === 'string' && typeof version === 'number'
    ? { summaryId, to: version }
    : undefined;
}

/** `version`: that of the summary itself; `covers` is counted as this context counts, below 1 for what it inherited. */
export type SummaryFacts = EventData<'SummaryAdded'> & Readonly<{ version: number }>;

export function summaryFacts({ body, state }: Item): SummaryFacts {
  // Only the fold beside this file writes the body of these items.
  const said: EventData<'SummaryAdded'> = body as EventData<'SummaryAdded'> & JsonValue;
  const version = Number(state['version']);
  const inherited = Number(state['countedAs']) - version;
  const { from, to } = said.covers;
  return { ...said, covers: { from: from - inherited, to: to - inherited }, version };
}
