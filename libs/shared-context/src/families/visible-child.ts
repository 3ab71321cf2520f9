import { isJsonObject } from '#event-sourcing';
import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { creationKey, lifeKey } from '../life/life.fold.js';
import { member } from '../json.js';
import { activityKinds, activityOf } from '../steps/step.activity.js';
import { type Child } from './family.document.js';

/** Kinds of the items from which the progress of a child is computed. */
export const childKinds: readonly ItemKind[] = ['life', 'creation', ...activityKinds];

/**
 * A child context, computed from its items. If a reader sees only some events, these are the items of the visible
 * events.
 */
export function visibleChild(
  contextId: string,
  visibleItems: Iterable<Item>,
  counted?: boolean,
): Child {
  const items = [...visibleItems];
  const creation = items.find(({ kind }) => kind === creationKey.kind);
  const life = items.find(({ kind }) => kind === lifeKey.kind);
  const createdAt = textOf(creation?.state['createdAt']) ?? '';
  return {
    contextId,
    title: titleOf(creation),
    status: textOf(life?.state['status']) ?? 'open',
    activity: activityOf(items, counted),
    createdAt,
    modifiedAt: items.flatMap(timesIn).reduce(later, createdAt),
  };
}

function titleOf(creation: Item | undefined): string | null {
  return isJsonObject(creation?.body) ? (textOf(member(creation.body, 'title')) ?? null) : null;
}

/** Members of item states that contain times. */
const times = ['since', 'timestamp', 'startedAt', 'completedAt'];

function timesIn({ state }: Item): readonly string[] {
  return times.flatMap((name) => textOf(state[name]) ?? []);
}

/** Compares instants and not texts, as times may have offsets. */
function later(left: string, right: string): string {
  return Date.parse(left) < Date.parse(right) ? right : left;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
