import { type JsonValue } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

export function derivedKey(path: string): ItemKey {
  return { kind: 'derived', key: path };
}

/** What was derived last for the item's path. */
export function derivedFacts({ body }: Item): EventData<'ValueDerived'> {
  // Only the fold beside this file writes the body of these items.
  return body as EventData<'ValueDerived'> & JsonValue;
}
