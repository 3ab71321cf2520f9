import { type JsonObject } from '#event-sourcing';

import { mapSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { type PatchedKind } from './global.fold.js';

export const globalContextPart = memberPart('globalContext', {
  schema: mapSchema,
  searched: { shape: 'map', named: true },
  kinds: ['global'],
  render: (items) => renderValues('global', items),
});

export const preferencesPart = memberPart('userPreferences', {
  schema: mapSchema,
  searched: { shape: 'map', named: true },
  kinds: ['preference'],
  render: (items) => renderValues('preference', items),
});

/** The object whose members are the items, sorted by name so that the order does not depend on the history. */
function renderValues(kind: PatchedKind, items: readonly Item[]): JsonObject {
  return Object.fromEntries(
    items
      .filter((item) => item.kind === kind)
      .toSorted((left, right) => (left.key < right.key ? -1 : 1))
      .map(({ key, body }) => [key, body ?? null]),
  );
}
