import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemKey } from '../item.js';
import { without } from '../json.js';
import { usualPriority } from '../priority.js';

export function handoverKey(handoverId: string): ItemKey {
  return { kind: 'handover', key: handoverId };
}

/** Beside the members of a handover as it was noted: what was said when it was acknowledged. */
export const acknowledgementNote = 'acknowledgementNote';

/** The payload that noted it, without what later events have added; a priority left out says the usual one. */
export function notedIn({ body }: Item): JsonValue | undefined {
  return isJsonObject(body) ? withPriority(without(body, [acknowledgementNote])) : body;
}

export function withPriority<Noted extends object>(noted: Noted) {
  return { priority: usualPriority, ...noted };
}
