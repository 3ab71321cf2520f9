import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';

/** Versions that somebody named: `{ name, version, createdAt, createdBy }`, in the order they were named. */
export function renderCheckpoints(items: Iterable<Item>): JsonObject[] {
  return inOrder(items, ({ kind }) => kind === 'checkpoint').map(renderCheckpoint);
}

/** Those and the automatic ones, which `automatic` tells apart. */
export function renderAllCheckpoints(items: Iterable<Item>): JsonObject[] {
  return inOrder(items, ({ kind }) => kind === 'checkpoint' || kind === 'completion').map(
    (item) => ({ ...renderCheckpoint(item), automatic: item.kind === 'completion' }),
  );
}

function inOrder(items: Iterable<Item>, isShown: (item: Item) => boolean): readonly Item[] {
  return [...items]
    .filter(isShown)
    .toSorted(
      (left, right) => left.fromVersion - right.fromVersion || (left.key < right.key ? -1 : 1),
    );
}

function renderCheckpoint({ key, state }: Item): JsonObject {
  return {
    name: key,
    version: state['version'] ?? null,
    createdAt: state['createdAt'] ?? null,
    createdBy: state['createdBy'] ?? null,
  };
}
