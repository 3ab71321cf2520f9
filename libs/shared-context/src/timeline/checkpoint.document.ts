import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';

/** `{ name, version, createdAt, createdBy }`, in the order they were made. */
export function renderCheckpoints(items: Iterable<Item>): JsonObject[] {
  return [...items]
    .filter(({ kind }) => kind === 'checkpoint')
    .toSorted((left, right) => left.fromVersion - right.fromVersion)
    .map(({ key, state }) => ({
      name: key,
      version: state['version'] ?? null,
      createdAt: state['createdAt'] ?? null,
      createdBy: state['createdBy'] ?? null,
    }));
}
