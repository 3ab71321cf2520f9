import { type JsonValue } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

export function derivedKey(path: string): ItemKey {
  return { kind: 'derived', key: path };
}

/** The latest derived value for the item's path. */
export function derivedFacts({ body }: Item): EventData<'ValueDerived'> {
  // Only derived.fold.ts writes the body of these items.
  return body as EventData<'ValueDerived'> & JsonValue;
}
