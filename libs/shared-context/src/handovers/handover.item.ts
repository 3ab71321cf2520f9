import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemKey } from '../item.js';
import { without } from '../json.js';
import { defaultPriority } from '../priority.js';

export function handoverKey(handoverId: string): ItemKey {
  return { kind: 'handover', key: handoverId };
}

/** The member of a handover's body that holds the note of the acknowledgement. */
export const acknowledgementNote = 'acknowledgementNote';

/** The payload of the event that noted the handover, with the default priority if it has none. */
export function notedPayload({ body }: Item): JsonValue | undefined {
  return isJsonObject(body) ? withPriority(without(body, [acknowledgementNote])) : body;
}

export function withPriority<Noted extends object>(noted: Noted) {
  return { priority: defaultPriority, ...noted };
}
