import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';

/** Explicitly created checkpoints: `{ name, version, createdAt, createdBy }`, in the order of their creation. */
export function renderCheckpoints(items: Iterable<Item>): JsonObject[] {
  return inOrder(items, ({ kind }) => kind === 'checkpoint').map(renderCheckpoint);
}

/** All checkpoints; `automatic` distinguishes the automatic ones. */
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
