import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { jsonEquals } from '../json.js';

/** One item that is not the same before and after; at least one of the two is there. */
export type ChangedItem = Readonly<{
  kind: ItemKind;
  key: string;
  before: Item | undefined;
  after: Item | undefined;
}>;

/** Items that differ, in the order in which they came to be what they are now; those that are gone come first. */
export function changedItems(
  before: Iterable<Item>,
  after: Iterable<Item>,
): readonly ChangedItem[] {
  const pairs = new Map<string, ChangedItem>();
  for (const item of before)
    pairs.set(textOf(item), { kind: item.kind, key: item.key, before: item, after: undefined });
  for (const item of after) {
    const earlier = pairs.get(textOf(item))?.before;
    pairs.set(textOf(item), { kind: item.kind, key: item.key, before: earlier, after: item });
  }
  return [...pairs.values()].filter(differs).toSorted(byVersion);
}

/** The same output added again is a new output, even where nothing but its version tells. */
function differs({ kind, before, after }: ChangedItem): boolean {
  if (!before || !after) return true;
  if (kind === 'step-output' && before.fromVersion !== after.fromVersion) return true;
  return !jsonEquals(before.state, after.state) || !jsonEquals(before.body, after.body);
}

function byVersion(left: ChangedItem, right: ChangedItem): number {
  const [a, b] = [left.after?.fromVersion ?? 0, right.after?.fromVersion ?? 0];
  if (a !== b) return a - b;
  return textOf(left) < textOf(right) ? -1 : 1;
}

function textOf({ kind, key }: Pick<Item, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}
