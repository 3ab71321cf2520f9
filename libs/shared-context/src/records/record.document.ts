import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';

/** The sections of the story, oldest first. */
export function renderRecords(items: readonly Item[]): JsonObject[] {
  return oldestFirst('record', items).map(renderEntry);
}
