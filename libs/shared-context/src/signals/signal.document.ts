import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';

/** What agents have signalled, oldest first. */
export function renderSignals(items: readonly Item[]): JsonObject[] {
  return oldestFirst('signal', items).map(renderEntry);
}
